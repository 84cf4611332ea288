import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionId, TaskStory } from "./fixtures/task-story.ts";
import { listedTaskView, taskView } from "./view.ts";

test("[TSK-29] a task needs a permission while the agent of one of its sessions waits for an answer", () => {
  const story = new TaskStory().run().sent().works(1);
  const needs = () => taskView(story.state, story.state.sessions);
  assert.equal(needs().needs_permission, false);
  story
    .observe({ asks: true })
    .then("task.session.changed", "task.attempt.clock");
  assert.equal(needs().needs_permission, true);
  assert.equal(listedTaskView(story.state).needs_permission, true);
  story.observe({ asks: true }).then();
  story.works(1);
  assert.equal(needs().needs_permission, false);
  // A session that somebody made by hand counts too.
  story.observe({ id: sessionId(7), asks: true });
  assert.equal(needs().needs_permission, true);
  story.checkFold();
});

test("[TSK-30] lists show the beginning of a long description and no contexts, and say so", () => {
  const short = new TaskStory({ contexts: [] });
  const { session, ...all } = taskView(short.state, short.state.sessions);
  assert.deepEqual(session, { agent: "demo", cwd: "/work" });
  assert.deepEqual(listedTaskView(short.state), all);
  const description = `${"x".repeat(1999)}🙂${"y".repeat(100_000)}`;
  const { state } = new TaskStory({
    description,
    contexts: [{ text: "z".repeat(100_000) }],
  });
  const listed = listedTaskView(state);
  assert.equal(listed.description, "x".repeat(1999));
  assert.deepEqual(listed.contexts, []);
  assert.equal(listed.context_version, 2);
  assert.deepEqual(listed.shortened, ["description", "contexts"]);
  assert.ok(JSON.stringify(listed).length < 4096);
  const whole = taskView(state, []);
  assert.equal(whole.description, description);
  assert.equal(whole.shortened, undefined);
});

test("a task shows the agent of its newest attempt", () => {
  const story = new TaskStory({ session: {} });
  assert.equal(taskView(story.state, []).agent, undefined);
  story.run();
  assert.equal(taskView(story.state, []).agent, "demo");
});
