import assert from "node:assert/strict";
import { test } from "node:test";
import { intend } from "./intend.ts";
import { newestAttempt } from "./state.ts";
import {
  attemptId,
  idsOf,
  promptId,
  retrySession,
  sessionId,
  TaskStory,
} from "./fixtures/task-story.ts";

test("[TSK-1] [TSK-8] the first attempt is recorded, then sent, then over", () => {
  const story = new TaskStory()
    .run()
    .then("task.attempt.started", "task.state_changed")
    .sent()
    .then("task.prompt.queued")
    .works(1)
    .then("task.session.changed", "task.attempt.clock")
    .over(1)
    .then(
      "task.session.changed",
      "task.prompt.over",
      "task.attempt.clock",
      "task.attempt.settled",
    )
    .reviewed({ files_changed: [{ path: "a.ts", change: "added" }] })
    .then("task.attempt.ended", "task.state_changed");
  assert.equal(story.state.last_reported_state, "REVIEW");
  story.checkFold();
});

test("[TSK-8] a prompt that is told to be queued again is known", () => {
  const story = new TaskStory().run().sent();
  story
    .when({
      type: "prompt.queued",
      attempt_id: attemptId(1),
      session_id: sessionId(1),
      prompt_id: promptId(1),
    })
    .then();
});

test("[TSK-9] a task that was tried is not run again", () => {
  new TaskStory().run().run(2).refused("wrong_state");
});

test("[TSK-10] a retry goes on in the same session and resolves what was cut off", () => {
  const story = new TaskStory()
    .run()
    .sent()
    .works(1)
    .over(1, "interrupted")
    .reviewed()
    .retry(2, "continue");
  const { sending } = story;
  assert.equal(sending.session_id, sessionId(1));
  assert.equal(sending.resolves, promptId(1));
  assert.doesNotMatch(sending.text, /logged out|Fix the login/);
});

test("[TSK-10] after a success nothing has to be resolved", () => {
  const story = new TaskStory().run().sent().over(1).reviewed().retry(2);
  assert.equal(story.sending.resolves, null);
  assert.match(story.sending.text, /^Your work was reviewed/);
});

test("[TSK-10] a prompt that no agent took still waits: nothing else is sent", () => {
  const story = new TaskStory()
    .run()
    .sent()
    .observe({
      state: "ERROR",
      waiting: [promptId(1)],
      error: { code: "x", text: "It broke." },
    })
    .reviewed()
    .retry(2, "continue", retrySession({ state: "ERROR" }));
  assert.equal(story.sending.waits, true);
  story.sent().over(1).reviewed();
  assert.equal(story.state.last_reported_state, "REVIEW");
  assert.deepEqual(newestAttempt(story.state)?.prompts[0]?.id, promptId(1));
});

test("[TSK-10] [TSK-20] what was added while a prompt waited is sent behind it", () => {
  const story = new TaskStory()
    .run()
    .sent()
    .observe({ state: "ERROR", waiting: [promptId(1)] })
    .reviewed()
    .add(2, "Also mend the logout.")
    .sent();
  assert.equal(story.sending.waits, false);
  assert.match(story.sending.text, /Also mend the logout/);
  assert.doesNotMatch(story.sending.text, /logged out after/);
});

test("[TSK-11] a fresh attempt gets a new session", () => {
  const story = new TaskStory()
    .run()
    .sent()
    .over(1, "failed")
    .reviewed()
    .retry(2, "fresh");
  assert.equal(story.sending.session_id, null);
  assert.equal(newestAttempt(story.state)?.mode, "fresh");
  assert.match(story.sending.text, /logged out after a minute/);
  assert.match(story.sending.text, /tried once before/);
});

test("[TSK-12] an agent that would know nothing is not asked to continue", () => {
  const abilities = { resume: false, load: false, injection: false };
  const story = new TaskStory().run().sent().over(1).reviewed();
  story
    .retry(2, "continue", retrySession({ abilities }))
    .refused("not_supported");
  story.retry(2, null, retrySession({ abilities }));
  assert.equal(newestAttempt(story.state)?.mode, "fresh");
});

test("[TSK-13] an ended session cannot be continued, and a retry without a mode starts over", () => {
  const session = retrySession({ state: "CANCELLED" });
  const story = new TaskStory().run().sent().over(1, "failed").reviewed();
  story.retry(2, "continue", session).refused("wrong_state");
  story.retry(2, null, session);
  assert.equal(newestAttempt(story.state)?.mode, "fresh");
});

test("[TSK-13] what failed before any agent heard of the task is told for the first time", () => {
  const reason = { code: "cwd_not_found", text: "There is no /work." };
  const story = new TaskStory()
    .run()
    .when({ type: "attempt.fail", ...idsOf(1), reason })
    .reviewed({ files_changed: null });
  assert.equal(story.state.last_reported_state, "FAILED");
  story.retry(2, "continue", null);
  assert.equal(newestAttempt(story.state)?.mode, "first");
});

test("[TSK-8] there is one attempt at a time, and none before the first", () => {
  new TaskStory().retry(1).refused("wrong_state");
  new TaskStory().run().sent().retry(2).refused("wrong_state");
});

test("[TSK-7] a closed task ends its sessions, and nothing more is done for it", () => {
  const story = new TaskStory()
    .run()
    .sent()
    .works(1)
    .when({ type: "task.close", as: "cancelled" })
    .then("task.closed", "task.state_changed");
  assert.deepEqual(intend(story.state), [
    { kind: "end", session_id: sessionId(1), outcome: "cancelled" },
  ]);
  story.when({ type: "task.close", as: "cancelled" }).then();
  story.when({ type: "task.close", as: "done" }).refused("task_closed");
  story.retry(2).refused("task_closed");
  story.add(2, "More.").refused("task_closed");
  story.observe({ state: "CANCELLED", has_turns: true }).reviewed();
  assert.deepEqual(intend(story.state), []);
  assert.equal(story.state.last_reported_state, "CANCELLED");
});

test("[TSK-7] an attempt that has no session yet is over when its task is closed", () => {
  const story = new TaskStory()
    .run()
    .when({ type: "task.close", as: "done" })
    .reviewed({ files_changed: null });
  assert.deepEqual(intend(story.state), []);
  assert.equal(newestAttempt(story.state)?.progress.kind, "ended");
});

test("[TSK-2] [TSK-9] the description can be changed until an agent was told", () => {
  const { title, session, retry, timeout_minutes } = new TaskStory().state;
  const command = {
    type: "task.describe" as const,
    title,
    session,
    retry,
    timeout_minutes,
  };
  const description = "Something else.";
  const story = new TaskStory();
  story.when({ ...command, description }).then("task.described");
  story.when({ ...command, description }).then();
  story.run();
  story.when({ ...command, description: "Another." }).refused("wrong_state");
  story
    .when({ ...command, description, timeout_minutes: 5 })
    .then("task.described");
  story.checkFold();
});

test("[TSK-10] after a handoff the attempt goes on with the agent that has the session", () => {
  const story = new TaskStory().run().sent().over(1).reviewed();
  story.retry(2, "continue", retrySession({ agent: "demo-inject" }));
  assert.equal(story.sending.session_id, sessionId(1));
  assert.equal(newestAttempt(story.state)?.agent, "demo-inject");
});

test("[TSK-2] saying the same of a closed task is no error", () => {
  const story = new TaskStory().when({ type: "task.close", as: "done" });
  const { title, description, session, retry, timeout_minutes } = story.state;
  const same = { title, description, session, retry, timeout_minutes };
  story.when({ type: "task.describe", ...same }).then();
  story.when({ type: "task.describe", ...same, title: "Other" });
  story.refused("task_closed");
});
