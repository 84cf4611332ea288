import assert from "node:assert/strict";
import { test } from "node:test";
import { absences, overlaps, type Beat } from "./absences.ts";

/** Every 5 ms, each so many microseconds of processor time. */
const beats = (...cpu: number[]): Beat[] =>
  cpu.map((each, at) => ({ begun: at * 5, ended: at * 5 + 1, cpu: each }));

test("a machine that is there all the time has no absences", () => {
  assert.deepEqual(absences(beats(100, 140, 95, 240, 100)), []);
  assert.deepEqual(absences([]), []);
});

test("an absence lasts from the last beat before it to the first after it, and neighbours are one", () => {
  assert.deepEqual(
    absences(beats(100, 100, 900, 1200, 100, 100, 100, 800, 100)),
    [
      { from: 6, to: 20 },
      { from: 31, to: 40 },
    ],
  );
});

test("a beat that had to wait for the processor is no absence", () => {
  const waited = beats(100, 100, 100);
  waited[1] = { begun: 5, ended: 9, cpu: 110 };
  assert.deepEqual(absences(waited), []);
});

test("what ends where an absence begins has not met it", () => {
  const absence = { from: 6, to: 20 };
  assert.equal(overlaps({ from: 0, to: 6 }, absence), false);
  assert.equal(overlaps({ from: 0, to: 7 }, absence), true);
  assert.equal(overlaps({ from: 8, to: 9 }, absence), true);
  assert.equal(overlaps({ from: 20, to: 30 }, absence), false);
});
