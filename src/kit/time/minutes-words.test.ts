import assert from "node:assert/strict";
import { test } from "node:test";
import { minutesWords } from "./minutes-words.ts";

test("minutes are told as a person would say them", () => {
  const told = [3 / 60, 0.5, 1, 1.5, 45, 60, 90, 120].map(minutesWords);
  assert.deepEqual(told, [
    "3 s",
    "30 s",
    "1 min",
    "1.5 min",
    "45 min",
    "1 h",
    "90 min",
    "2 h",
  ]);
});
