import assert from "node:assert/strict";
import { test } from "node:test";
import { countEdits } from "./count-edits.ts";

test("[CPT-62] lines that come and go are counted, as a diff shows them", () => {
  const cases: [string, string, number, number][] = [
    ["", "", 0, 0],
    ["", "a\nb\n", 2, 0],
    ["a\nb\n", "", 0, 2],
    ["a\nb\nc\n", "a\nB\nc\n", 1, 1],
    ["a\nb", "a\nb\n", 1, 1],
    ["a\n", "a\nb\nc\n", 2, 0],
  ];
  for (const [before, after, added, removed] of cases)
    assert.deepEqual(countEdits(before, after), { added, removed });
});
