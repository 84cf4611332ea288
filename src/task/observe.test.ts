import assert from "node:assert/strict";
import { test } from "node:test";
import { intend } from "./intend.ts";
import { newestAttempt } from "./state.ts";
import { dueAt, workedMs } from "./timeout.ts";
import {
  TaskStory,
  attemptId,
  idsOf,
  promptId,
  second,
  sessionId,
} from "./fixtures/task-story.ts";

const begun = (minutes: number | null = null): TaskStory =>
  new TaskStory({ timeout_minutes: minutes }).run().sent();

test("[TSK-2] the same news again changes nothing", () => {
  const story = begun().works(1);
  story.works(1).then();
  story.over(1).over(1).then();
});

test("[TSK-14] the outcome of an attempt is the worst of its prompts", () => {
  const outcomes = {
    completed: "succeeded",
    cancelled: "cancelled",
    interrupted: "interrupted",
    uncertain: "interrupted",
    refused: "failed",
    failed: "failed",
  } as const;
  for (const [outcome, expected] of Object.entries(outcomes)) {
    const story = begun().add(2, "More.").sent();
    story.over(1);
    assert.ok(outcome in outcomes);
    story.over(2, outcome as keyof typeof outcomes).reviewed();
    const progress = newestAttempt(story.state)?.progress;
    assert.equal(progress?.kind === "ended" && progress.outcome, expected);
  }
});

test("[TSK-14] an attempt is not over while its turn has to be captured", () => {
  const story = begun().over(1, "completed", { is_captured: false });
  assert.deepEqual(intend(story.state), []);
  story.observe({ state: "WAITING_FOR_INPUT", has_turns: true });
  assert.equal(intend(story.state)[0]?.kind, "review");
});

test("[TSK-14] an agent that cannot start fails the attempt, with the reason", () => {
  const error = { code: "agent_not_installed", text: "There is no claude." };
  const story = begun()
    .observe({ state: "ERROR", waiting: [promptId(1)], error })
    .reviewed();
  const progress = newestAttempt(story.state)?.progress;
  assert.equal(progress?.kind === "ended" && progress.outcome, "failed");
  assert.deepEqual(progress?.kind === "ended" && progress.reason, error);
  assert.equal(story.state.told, "FAILED");
});

test("[TSK-27] an attempt goes on when the agent takes the prompt that waited after all", () => {
  const story = begun()
    .observe({ state: "ERROR", waiting: [promptId(1)] })
    .reviewed();
  assert.equal(story.state.told, "FAILED");
  story
    .works(1)
    .then(
      "task.session.changed",
      "task.attempt.reopened",
      "task.attempt.clock",
      "task.state_changed",
    )
    .over(1)
    .reviewed();
  assert.equal(story.state.told, "REVIEW");
});

test("[TSK-14] a session that somebody ends cancels the attempt", () => {
  const story = begun().works(1).observe({ state: "COMPLETED" }).reviewed();
  const progress = newestAttempt(story.state)?.progress;
  assert.equal(progress?.kind === "ended" && progress.outcome, "cancelled");
  assert.equal(story.state.told, "DONE");
});

test("[TSK-8] what was sent and not recorded is known from the session", () => {
  const story = new TaskStory().run();
  story
    .over(1)
    .then(
      "task.session.changed",
      "task.prompt.queued",
      "task.prompt.over",
      "task.attempt.settled",
    );
  assert.equal(newestAttempt(story.state)?.session_id, sessionId(1));
});

test("[TSK-14] an error of the session from before the attempt does not end it", () => {
  const story = begun().over(1, "interrupted").reviewed().retry(2);
  story.observe({ state: "ERROR", has_turns: true, waiting: [] });
  assert.equal(newestAttempt(story.state)?.progress.kind, "under way");
});

test("[TSK-17] other prompts and other sessions are left alone", () => {
  const story = begun().works(1).over(1).reviewed();
  story.observe({ working_on: promptId(7), has_turns: true });
  story.then("task.session.changed", "task.state_changed");
  assert.equal(story.state.told, "IN_PROGRESS");
  story.over(7).then("task.session.changed", "task.state_changed");
  story.observe({ id: sessionId(2), state: "STARTING" });
  assert.equal(story.state.told, "IN_PROGRESS");
});

test("[TSK-4] [TSK-21] time that the agent waits for an answer does not count", () => {
  const story = begun(1).at(10).works(1);
  assert.equal(dueAt(story.state), second(70));
  story.at(40).observe({ working_on: null });
  assert.equal(dueAt(story.state), null);
  story.at(1000).works(1);
  assert.equal(dueAt(story.state), second(1030));
  const attempt = newestAttempt(story.state);
  assert.ok(attempt);
  assert.equal(workedMs(attempt, second(1010)), 40_000);
});

test("[TSK-22] an attempt that has used up its time is stopped, and its outcome is so", () => {
  const wake = {
    type: "task.wake" as const,
    ids: idsOf(9),
    session: null,
  };
  const story = begun(1).works(1);
  story.at(59).when(wake).then();
  story.at(60).when(wake).then("task.attempt.timed_out");
  assert.deepEqual(intend(story.state), [
    {
      kind: "stop",
      attempt_id: attemptId(1),
      session_id: sessionId(1),
      prompt_ids: [promptId(1)],
    },
  ]);
  story.at(61).when(wake).then();
  story.over(1, "cancelled").reviewed();
  const progress = newestAttempt(story.state)?.progress;
  assert.equal(progress?.kind === "ended" && progress.outcome, "timed_out");
  assert.equal(story.state.told, "FAILED");
  story.retry(2, "continue");
  assert.match(story.sending.text, /\(it ran longer than 1 min\)/);
});

const wake = { type: "task.wake" as const, ids: idsOf(9), session: null };

test("[TSK-22] an attempt whose time is used up ends when what waits was withdrawn, also with something unsent", () => {
  const story = begun(1).works(1).add(2, "More.").sent().add(3, "And more.");
  story.at(60).when(wake);
  const stop = intend(story.state)[0];
  assert.deepEqual(stop?.kind === "stop" && stop.prompt_ids, [
    promptId(1),
    promptId(2),
    promptId(3),
  ]);
  story.over(2, "withdrawn", { state: "RUNNING" });
  story.over(1, "interrupted", { state: "PAUSED" }).reviewed();
  const [first, second] = story.state.attempts;
  assert.equal(
    first?.progress.kind === "ended" && first.progress.outcome,
    "timed_out",
  );
  assert.equal(second?.mode, "update", "what nobody was told comes next");
  assert.match(story.sending.text, /More\.[^]*And more\./);
});

test("[TSK-27] [TSK-26] an attempt that is open again calls off the retry that was to come", () => {
  const retry = { limit: 2, backoff_seconds: 1, most_seconds: 9 };
  const story = new TaskStory({ retry }).run().sent();
  story.observe({ state: "ERROR", waiting: [promptId(1)] }).reviewed();
  assert.notEqual(story.state.next_retry, null);
  story.works(1);
  assert.equal(story.state.next_retry, null);
  story.over(1).reviewed();
  assert.equal(story.state.told, "REVIEW");
});

test("[TSK-7] a closed task has no attempt that nobody began", () => {
  const story = begun().over(1).reviewed().retry(2);
  story.when({ type: "task.close", as: "done" }).reviewed();
  assert.equal(newestAttempt(story.state)?.progress.kind, "ended");
});

test("[TSK-10] all prompts that waited are taken over, and nothing is told twice", () => {
  const story = begun().add(2, "More.").sent();
  const waiting = [promptId(1), promptId(2)];
  story.observe({ state: "ERROR", waiting }).reviewed().retry(3);
  const prompts = newestAttempt(story.state)?.prompts ?? [];
  assert.deepEqual(
    prompts.map(({ id, waits }) => [id, waits]),
    waiting.map((id) => [id, true]),
  );
  story.observe({ state: "ERROR", waiting });
  assert.equal(newestAttempt(story.state)?.progress.kind, "under way");
});

test("[TSK-20] what was withdrawn before the agent had it is told by the next attempt", () => {
  const story = begun().over(1, "withdrawn", { has_turns: false }).reviewed();
  assert.match(story.retry(2).sending.text, /^# Fix the login/);
});

test("[TSK-28] a session that is gone, damaged or in the trash ends its attempt", () => {
  const lost = begun().works(1);
  const reason = { code: "session_damaged", text: "It is damaged." };
  const lose = {
    type: "session.lose" as const,
    session_id: sessionId(1),
    state: "FAILED" as const,
    reason,
  };
  lost.when(lose).reviewed({ files_changed: null });
  assert.equal(lost.state.told, "FAILED");
  lost.when(lose).then();
  const trashed = begun().add(2, "More.").sent();
  trashed.over(1, "interrupted", { state: "PAUSED", waiting: [promptId(2)] });
  trashed.observe({ state: "PAUSED", is_deleted: true }).reviewed();
  const progress = newestAttempt(trashed.state)?.progress;
  assert.equal(progress?.kind === "ended" && progress.outcome, "cancelled");
});

test("[TSK-14] [TSK-23] what somebody ends or pauses is not tried again", () => {
  const retry = { limit: 2, backoff_seconds: 1, most_seconds: 9 };
  const why = { code: "paused", text: "The session was paused." };
  for (const state of ["COMPLETED", "PAUSED"] as const) {
    const story = new TaskStory({ retry }).run().sent().works(1);
    story.over(1, "interrupted", { state }, why).reviewed();
    assert.equal(story.state.next_retry, null, state);
  }
});

test("[TSK-3] a later prompt that cannot be sent does not keep the attempt open", () => {
  const story = begun().add(2, "More.");
  const reason = { code: "session_ended", text: "It has ended." };
  story.over(1);
  story.when({
    type: "attempt.fail",
    attempt_id: attemptId(1),
    prompt_id: promptId(2),
    reason,
  });
  story.reviewed();
  assert.equal(story.state.told, "FAILED");
});
