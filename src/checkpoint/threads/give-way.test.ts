import assert from "node:assert/strict";
import { test } from "node:test";
import { givingWay } from "./give-way.ts";

/** A thread whose every step takes a millisecond, and which waits for a processor for this part of it. */
const steps = (count: number, forMs: number, share: number): number[] => {
  let time = 0;
  let waited = 0;
  const pauses: number[] = [];
  const step = givingWay(forMs, {
    now: () => time,
    waited: () => waited,
    pause: (ms) => {
      pauses.push(ms);
      time += ms;
    },
  });
  for (let n = 0; n < count; n += 1) {
    time += 1;
    waited += share;
    step();
  }
  return pauses;
};

test("[CHK-28] who never waits for a processor never pauses", () => {
  assert.deepEqual(steps(1000, 10_000, 0), []);
});

test("[CHK-28] who waits pauses, the longer the more it had to wait, and never for long", () => {
  assert.deepEqual(steps(6, 10_000, 0.25), [4, 4, 4]);
  assert.deepEqual(steps(6, 10_000, 0.5), [8, 8, 8]);
  assert.deepEqual(steps(4, 10_000, 100), [40, 40]);
});

test("[CHK-28] when its time for that is over it goes on at full speed", () => {
  const pauses = steps(1000, 30, 0.5);
  assert.deepEqual(pauses, [8, 8, 8]);
});
