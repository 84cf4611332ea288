import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change } from "../../../contract/session/checkpoint.ts";
import { MAX_CHANGES, toldConflicts } from "./told-changes.ts";

test("[CPT-8] of very many conflicts some are named, and the rest is counted", () => {
  const conflicts = Array.from({ length: MAX_CHANGES + 2 }, (_, n): Change => ({
    path: `${n}`,
    kind: "modified",
  }));
  const few = conflicts.slice(0, MAX_CHANGES);
  assert.deepEqual(toldConflicts(few), { conflicts: few });
  assert.deepEqual(toldConflicts(conflicts), {
    conflicts: few,
    more_conflicts: 2,
  });
});
