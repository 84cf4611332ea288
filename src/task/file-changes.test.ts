import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileChange } from "../contract/task/task.ts";
import { allChanges } from "./file-changes.ts";

type Kind = FileChange["change"];

test("[TSK-38] what several turns did to a file is told as one change", () => {
  const after = (...kinds: Kind[]) =>
    allChanges(kinds.map((change) => [{ path: "a", change }])).map(
      ({ change }) => change,
    );
  assert.deepEqual(after("added"), ["added"]);
  assert.deepEqual(after("added", "modified"), ["added"]);
  assert.deepEqual(after("added", "removed"), []);
  assert.deepEqual(after("added", "removed", "added"), ["added"]);
  assert.deepEqual(after("modified", "removed"), ["removed"]);
  assert.deepEqual(after("removed", "added"), ["modified"]);
  assert.deepEqual(after("modified", "mode"), ["modified"]);
  assert.deepEqual(after("mode", "modified"), ["modified"]);
  assert.deepEqual(
    allChanges([
      [
        { path: "b", change: "added" },
        { path: "c", change: "modified" },
      ],
      [{ path: "a", change: "added" }],
    ]).map(({ path }) => path),
    ["a", "b", "c"],
  );
});
