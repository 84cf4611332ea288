import assert from "node:assert/strict";
import { test } from "node:test";
import { nextRetry } from "./retry.ts";
import { newestAttempt } from "./state.ts";
import {
  TaskStory,
  idsOf,
  promptId,
  retrySession,
  second,
} from "./fixtures/task-story.ts";
import { dueAt } from "./timeout.ts";

const retrying = (changes: { limit?: number; fresh_after?: number } = {}) =>
  new TaskStory({
    retry: { limit: 3, backoff_seconds: 10, most_seconds: 30, ...changes },
  });

const wake = (n: number) => ({
  type: "task.wake" as const,
  ids: idsOf(n),
  session: retrySession(),
});

const secondsUntil = (story: TaskStory, from: number): number => {
  const at = story.state.next_retry?.at;
  assert.ok(at, "no retry is to come");
  return (Date.parse(at) - Date.parse(second(from))) / 1000;
};

/** Sends what is to be sent as the n-th prompt, and has it cut off. */
const cutOff = (story: TaskStory, n: number): TaskStory =>
  story.sent().over(n, "interrupted").reviewed();

test("[TSK-23] [TSK-24] a task tries again by itself, after growing pauses, as often as it is told", () => {
  const story = cutOff(retrying().run(), 1);
  let now = 0;
  for (const [n, full] of [10, 20, 30].entries()) {
    assert.equal(story.state.last_reported_state, "IN_PROGRESS");
    assert.equal(dueAt(story.state), story.state.next_retry?.at);
    const pause = secondsUntil(story, now);
    assert.ok(pause >= full * 0.8 && pause <= full * 1.2, `${pause} s`);
    story
      .at(now + pause - 0.001)
      .when(wake(n + 2))
      .then();
    now += pause;
    story
      .at(now)
      .when(wake(n + 2))
      .then("task.attempt.started");
    assert.equal(newestAttempt(story.state)?.mode, "continue");
    cutOff(story, n + 2);
  }
  assert.equal(story.state.next_retry, null);
  assert.equal(story.state.last_reported_state, "FAILED");
  story.checkFold();
});

test("[TSK-24] the pause is the same however often it is asked for", () => {
  const { state } = cutOff(retrying().run(), 1);
  const before = { ...state, next_retry: null };
  assert.deepEqual(nextRetry(before, second(0)), nextRetry(before, second(0)));
});

test("[TSK-24] a quota that is filled later decides", () => {
  const story = retrying().run().sent();
  const over = {
    prompt_id: promptId(1),
    outcome: "interrupted" as const,
    reason: null,
    not_before: second(5000),
  };
  story
    .observe({ state: "WAITING_FOR_INPUT", has_turns: true, over: [over] })
    .reviewed();
  assert.equal(story.state.next_retry?.at, second(5000));
});

test("[TSK-23] a success, a cancelled turn and what needs a person are not tried again", () => {
  const after = (
    outcome: "completed" | "cancelled" | "failed",
    code = "x",
  ): TaskStory =>
    retrying()
      .run()
      .sent()
      .over(1, outcome, {}, { code, text: "Why." })
      .reviewed();
  assert.equal(after("completed").state.next_retry, null);
  assert.equal(after("cancelled").state.next_retry, null);
  assert.equal(after("failed", "not_logged_in").state.next_retry, null);
  for (const code of [
    "host_not_usable",
    "container_not_usable",
    "sandbox_unavailable",
    "not_supported",
  ])
    assert.equal(after("failed", code).state.next_retry, null);
  assert.notEqual(after("failed").state.next_retry, null);
});

test("[TSK-25] after so many failures in one session the next attempt is fresh", () => {
  const story = cutOff(retrying({ fresh_after: 2 }).run(), 1);
  assert.equal(story.state.next_retry?.mode, "continue");
  cutOff(story.at(100).when(wake(2)), 2);
  assert.equal(story.state.next_retry?.mode, "fresh");
  story.at(200).when(wake(3));
  assert.equal(newestAttempt(story.state)?.mode, "fresh");
});

test("[TSK-12] an automatic retry is fresh where the agent would know nothing", () => {
  const abilities = { resume: false, load: false, injection: false };
  const story = cutOff(retrying().run(), 1).at(100);
  story.when({ ...wake(2), session: retrySession({ abilities }) });
  assert.equal(newestAttempt(story.state)?.mode, "fresh");
});

test("[TSK-26] who asks for something calls off the retry that was to come", () => {
  const story = cutOff(retrying().run(), 1).retry(2);
  assert.equal(story.state.next_retry, null);
  const closed = cutOff(retrying().run(), 1);
  closed
    .when({ type: "task.close", as: "done" })
    .then("task.retry.called_off", "task.closed", "task.state_changed");
  const added = cutOff(retrying().run(), 1).add(2, "More.");
  assert.equal(added.state.next_retry, null);
  assert.equal(newestAttempt(added.state)?.mode, "update");
});

test("[TSK-23] somebody who asks for an attempt gives it all its retries again", () => {
  const story = cutOff(retrying({ limit: 1 }).run(), 1);
  cutOff(story.at(100).when(wake(2)), 2);
  assert.equal(story.state.next_retry, null);
  cutOff(story.retry(3), 3);
  assert.notEqual(story.state.next_retry, null);
});
