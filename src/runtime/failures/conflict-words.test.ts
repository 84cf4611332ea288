import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change } from "../../contract/session/checkpoint.ts";
import { conflictWords } from "./conflict-words.ts";

const changed = (count: number): Change[] =>
  Array.from({ length: count }, (_, n) => ({ path: `${n}`, kind: "modified" }));

test("[CPT-8] a refusal names some of what stands in the way, and says how much more there is", () => {
  const words = (count: number, more_conflicts?: number) =>
    conflictWords({
      conflicts: changed(count),
      ...(more_conflicts !== undefined && { more_conflicts }),
    });
  assert.match(words(1), /the same file since: 0\. Nothing was touched/);
  assert.match(words(2), /the same files since: 0, 1\. /);
  assert.match(words(25), / 18, 19 and 5 more\. /);
  assert.match(words(25, 100), / 18, 19 and 105 more\. /);
});
