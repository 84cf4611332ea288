import assert from "node:assert/strict";
import { test } from "node:test";
import { elapsedMs } from "../kit/time/elapsed.ts";
import { at, sessionId } from "./fixtures/happenings.ts";
import type { Outcome } from "./channel.ts";
import { PAUSES_MS, progressAfter } from "./schedule.ts";

const delivery = {
  channel: "ci",
  subject: sessionId(1),
  after_seq: 4,
  failures: 0,
};
const failed: Outcome = { kind: "failed", status: 500, error: "500" };

void test("[WHK-9] the same event is tried ten times, each pause as long as it says and at most a tenth longer, then it is passed over", () => {
  const seconds = PAUSES_MS.map((ms) => ms / 1000);
  const hour = 3600;
  assert.deepEqual(seconds, [
    5,
    300,
    1800,
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
  ]);
  for (let round = 0; round < 200; round++) {
    const chance = Math.random();
    let now = delivery;
    for (const [tries, pause] of PAUSES_MS.entries()) {
      const time = at(tries * 1000 + round);
      const tried = { seq: 5, at: time, outcome: failed };
      const next = progressAfter(now, tried, PAUSES_MS, chance);
      assert.equal(next.after_seq, 4);
      assert.equal(next.failures, tries + 1);
      assert.equal(next.gave_up, 0);
      const pauseMs = elapsedMs(time, next.next_at);
      assert.ok(pauseMs >= pause && pauseMs <= pause * 1.1, `chance ${chance}`);
      now = { ...now, failures: next.failures };
    }
    const last = { seq: 5, at: at(1), outcome: failed };
    const over = progressAfter(now, last, PAUSES_MS, chance);
    assert.deepEqual(
      [over.after_seq, over.failures, over.next_at, over.gave_up],
      [5, 0, at(1), 1],
    );
    assert.equal(over.last?.outcome, "passed_over");
  }
});

void test("[WHK-9] a receiver that asks for a longer pause gets it, and a day at most", () => {
  const pause = (retryAfterMs: number): number => {
    const outcome = { ...failed, retryAfterMs };
    const tried = { seq: 5, at: at(0), outcome };
    return elapsedMs(
      at(0),
      progressAfter(delivery, tried, PAUSES_MS, 0).next_at,
    );
  };
  assert.equal(pause(1000), 5000);
  assert.equal(pause(60_000), 60_000);
  assert.equal(pause(1e12), 24 * 3_600_000);
});

void test("[WHK-10] [WHK-12] what is delivered makes way for the next event at once; what is refused for good costs no try", () => {
  const tried = { seq: 5, at: at(7) };
  const done = progressAfter(
    { ...delivery, failures: 3 },
    { ...tried, outcome: { kind: "delivered", status: 204 } },
    PAUSES_MS,
    0.5,
  );
  assert.deepEqual(
    [done.after_seq, done.failures, done.next_at, done.last?.outcome],
    [5, 0, at(7), "delivered"],
  );
  const gone = progressAfter(
    delivery,
    { ...tried, outcome: { kind: "gone", status: 410 } },
    PAUSES_MS,
    0.5,
  );
  assert.deepEqual(
    [gone.after_seq, gone.failures, gone.gave_up, gone.last?.status],
    [4, 0, 0, 410],
  );
});
