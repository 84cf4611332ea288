import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "./command.ts";
import {
  idsOf,
  retrySession,
  sessionId,
  TaskStory,
} from "./fixtures/task-story.ts";

const PLAIN = { agent: "demo", cwd: "/work" };
const PROFILED = { ...PLAIN, agent_profile_id: "work" };

/** One attempt that is over, in a session that the profile made. */
const tried = (template: object = PROFILED): TaskStory =>
  new TaskStory({ session: template })
    .run()
    .sent()
    .over(1, "failed")
    .reviewed();

const retried = (
  story: TaskStory,
  how: Partial<Extract<Command, { type: "task.retry" }>>,
): TaskStory =>
  story.when({
    type: "task.retry",
    ids: idsOf(2),
    mode: "fresh",
    agent: null,
    session: retrySession({ profile: "work" }),
    ...how,
  });

/** How the session of the attempt under way is made. */
const made = (story: TaskStory) => {
  story.checkFold();
  return story.sending.template;
};

test("[TSK-80] the first attempt is made by the profile of the task, and by none where another agent runs it", () => {
  assert.deepEqual(made(new TaskStory({ session: PROFILED }).run()), PROFILED);
  const other = new TaskStory({ session: PROFILED }).when({
    type: "task.run",
    ids: idsOf(1),
    agent: "demo-inject",
  });
  assert.deepEqual(made(other), PLAIN);
});

test("[TSK-81] an attempt may name a profile, and those after it keep it while they keep its agent", () => {
  const story = new TaskStory({ session: PLAIN }).when({
    type: "task.run",
    ids: idsOf(1),
    agent: "claude",
    profile: "review",
  });
  const named = { ...PLAIN, agent: "claude", agent_profile_id: "review" };
  assert.deepEqual(made(story), named);
  story.sent().over(1, "failed").reviewed();
  const session = retrySession({ agent: "claude", profile: "review" });
  assert.deepEqual(made(retried(story, { session })), named);

  const other = tried();
  assert.deepEqual(made(retried(other, { agent: "demo-inject" })), PLAIN);
  assert.deepEqual(made(retried(tried(), { profile: null })), PLAIN);
});

test("[TSK-81] another profile than that of the session starts over; the same one, or none said, goes on", () => {
  const continued = (profile?: string | null) =>
    retried(tried(), { mode: "continue", profile }).sending.session_id;
  assert.equal(continued(), sessionId(1));
  assert.equal(continued("work"), sessionId(1));
  assert.equal(continued("review"), null);
  assert.equal(continued(null), null);
});
