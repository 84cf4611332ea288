/** Which times can be relied on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  elapsedSince,
  isPast,
  isYoung,
  wasSetBack,
  windowOf,
} from "./settled.ts";

const NOON = Date.UTC(2026, 0, 1, 12);
/** A file system that counts nanoseconds. */
const FINE = NOON + 0.123;

const at = (time: number, more: { now?: number; newest?: number } = {}) => ({
  startedAt: time,
  now: time,
  newest: Infinity,
  ...more,
});

test("[CHK-6] a fine time is settled after 50 ms", () => {
  assert.ok(isYoung(FINE, at(FINE)));
  assert.ok(isYoung(FINE, at(FINE + 50)));
  assert.ok(!isYoung(FINE, at(FINE + 51)));
});

test("[CHK-30] a time of whole seconds stands for the two seconds after it", () => {
  // FAT says noon for everything up to two seconds past noon.
  assert.ok(isYoung(NOON, at(NOON + 1999)));
  assert.ok(isYoung(NOON, at(NOON + 2050)));
  assert.ok(!isYoung(NOON, at(NOON + 2051)));
});

test("[CHK-31] a time in the future is young", () => {
  assert.ok(isYoung(FINE, at(FINE - 3_600_000)));
  assert.ok(isYoung(NOON, at(NOON - 3_600_000)));
});

test("[CHK-31] a clock that is set back while a scan is under way makes nothing look old", () => {
  const changed = FINE - 3_600_000;
  assert.ok(!isYoung(changed, at(FINE)));
  assert.ok(isYoung(changed, at(FINE, { now: changed + 1 })));
});

test("[CHK-31] where the clock of a file server lags behind ours, what is newest there is young", () => {
  const lagging = FINE - 600_000;
  assert.ok(!isYoung(lagging, at(FINE)));
  assert.ok(isYoung(lagging, at(FINE, { newest: lagging })));
  assert.ok(!isYoung(lagging, at(FINE, { newest: lagging + 51 })));
});

test("[CHK-31] a time that is still there later is settled, unless its second may come again", () => {
  const later = { now: NOON - 3_600_000 };
  assert.ok(isPast(FINE, { ...later, elapsed: windowOf(FINE) + 1 }));
  assert.ok(!isPast(FINE, { ...later, elapsed: windowOf(FINE) }));
  assert.ok(!isPast(NOON, { ...later, elapsed: 1e9 }), "in the future");
  assert.ok(isPast(NOON, { now: NOON + 3000, elapsed: 2051 }));
  assert.ok(!isPast(NOON, { now: NOON + 3000, elapsed: 2050 }));
});

test("[CHK-31] a clock that was set back is known by one that counts", () => {
  const then = { wall: NOON, uptime: 100_000 };
  const after = (wall: number, uptime: number) => ({
    wall: NOON + wall,
    uptime: 100_000 + uptime,
  });
  assert.ok(!wasSetBack(then, after(5000, 5000)));
  assert.ok(!wasSetBack(then, after(3_600_000, 5000)), "set forward");
  assert.ok(wasSetBack(then, after(3000, 5000)));
  assert.ok(wasSetBack(then, after(3000, -1000)), "started anew");
  assert.equal(elapsedSince(then, after(0, 5000)), 5000);
  assert.equal(elapsedSince(then, after(0, -1000)), 0);
});
