import assert from "node:assert/strict";
import { test } from "node:test";
import { creation, retrySession, TaskStory } from "./fixtures/task-story.ts";
import { newestAttempt } from "./state.ts";

test("[TSK-37] an attempt has a resume only where its agent came back for it", () => {
  const story = new TaskStory().run().sent();
  story.observe({ resumed: true });
  assert.ok(story.types.includes("task.attempt.resumed"));
  story.observe({ resumed: true }).then();
  story.over(1, "interrupted").reviewed();
  story.retry(2, "continue");
  assert.equal(newestAttempt(story.state)?.was_resumed, false);
  story.sent().over(2, "completed").reviewed();
  assert.equal(newestAttempt(story.state)?.was_resumed, false);
  // Nothing of an attempt that is over changes.
  story.observe({ resumed: true, state: "WAITING_FOR_INPUT", has_turns: true });
  assert.ok(!story.types.includes("task.attempt.resumed"));
  story.checkFold();
});

test("[TSK-41] a session is made as the task said when its attempt began", () => {
  const story = new TaskStory().run();
  const { title, description, retry, timeout_minutes } = creation();
  const session = { agent: "demo", cwd: "/other", model: "large" };
  const before = story.sending.template;
  story.when({
    type: "task.describe",
    title,
    description,
    retry,
    timeout_minutes,
    session,
  });
  story.then("task.described");
  assert.deepEqual(story.sending.template, before);
  story.sent().over(1, "interrupted").reviewed();
  story.retry(2, "fresh", retrySession());
  assert.deepEqual(story.sending.template, session);
  story.checkFold();
});
