import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change } from "../../../contract/session/checkpoint.ts";
import { conflictsOf, ownPaths, type Sharing } from "./plan-rewind.ts";

const modified = (...paths: string[]): Change[] =>
  paths.map((path) => ({ path, kind: "modified" }));

const sharing = (more: Partial<Sharing>): Sharing => ({
  own: [modified("mine"), modified("also mine")],
  meanwhile: [],
  others: [],
  ...more,
});

test("[CPT-8] in a shared directory a rewind touches what the session changed", () => {
  const shared = sharing({
    meanwhile: [modified("theirs")],
    others: [modified("theirs too")],
  });
  assert.deepEqual([...ownPaths(shared)], ["mine", "also mine"]);
  assert.deepEqual(conflictsOf(shared, modified("mine", "also mine")), []);
});

test("[CPT-8] a path that changed between its turns, or since, is a conflict", () => {
  const shared = sharing({ meanwhile: [[], modified("mine"), []] });
  assert.deepEqual(conflictsOf(shared, []), modified("mine"));
});

test("[CPT-8] a path that another session may have changed at the same time is a conflict", () => {
  const shared = sharing({ others: [modified("also mine", "theirs")] });
  assert.deepEqual(conflictsOf(shared, []), modified("also mine"));
});

test("[CPT-8] a directory of its own that holds somebody else's file is not taken away", () => {
  const shared = sharing({ own: [[{ path: "d", kind: "added" }]] });
  const steps: Change[] = [
    { path: "d", kind: "removed" },
    { path: "d/theirs", kind: "removed" },
  ];
  assert.deepEqual(conflictsOf(shared, steps), [
    { path: "d/theirs", kind: "removed" },
  ]);
});
