import assert from "node:assert/strict";
import { test } from "node:test";
import { clockTime } from "./clock-time.ts";

test("a time bears its day where that is not the one on which it is told", () => {
  const told = (at: Date, now: Date): string =>
    clockTime(at.toISOString(), now);
  const last = new Date(2026, 11, 31, 23, 59, 30);
  const first = new Date(2027, 0, 1, 0, 0, 30);
  assert.equal(told(last, last), "23:59");
  assert.equal(told(first, last), "2027-01-01 00:00");
  assert.equal(told(first, first), "00:00");
  assert.equal(told(last, first), "2026-12-31 23:59");
  // The same day of another month.
  assert.equal(told(new Date(2027, 1, 1, 0, 0, 30), first), "2027-02-01 00:00");
});
