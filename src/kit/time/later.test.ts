import assert from "node:assert/strict";
import { test } from "node:test";
import { Later } from "./later.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Node fires a timer with a longer delay at once. */
const LONGEST_MS = 2 ** 31 - 1;

test("[SES-27] what is to be done in thirty days is not done at once", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const delays: (number | undefined)[] = [];
  const { setTimeout: mocked } = globalThis;
  t.mock.method(globalThis, "setTimeout", (work: () => void, ms?: number) => {
    delays.push(ms);
    return mocked(work, ms);
  });
  const later = new Later();
  let done = 0;
  later.after(30 * DAY_MS, () => {
    done += 1;
  });
  t.mock.timers.tick(LONGEST_MS);
  assert.equal(done, 0);
  t.mock.timers.tick(30 * DAY_MS - LONGEST_MS);
  assert.equal(done, 1);
  assert.deepEqual(delays, [LONGEST_MS, 30 * DAY_MS - LONGEST_MS]);
});

test("what waits in steps is called off with the rest, and nothing comes after", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const later = new Later();
  later.after(30 * DAY_MS, () => assert.fail("it was called off"));
  t.mock.timers.tick(25 * DAY_MS);
  later.close();
  later.after(1, () => assert.fail("it came too late"));
  t.mock.timers.tick(30 * DAY_MS);
});
