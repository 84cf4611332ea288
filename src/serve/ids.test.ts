import assert from "node:assert/strict";
import { test } from "node:test";
import { makeIds } from "./ids.ts";

test("[STO-43] ids sort by the order in which they were made, also when the clock is set back", () => {
  const times = [1_000_000, 1_000_000, 5_000, 5_001, 2_000_000];
  const ids = makeIds(() => times.shift() ?? 0);
  const made = [1, 2, 3, 4, 5].map(() => ids.session());
  assert.deepEqual(made, made.toSorted());
  assert.equal(new Set(made).size, 5);
});
