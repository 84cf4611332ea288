import assert from "node:assert/strict";
import { test } from "node:test";
import { intend } from "./intend.ts";
import {
  promptId,
  retrySession,
  sessionId,
  TaskStory,
} from "./fixtures/task-story.ts";
import { taskView } from "./view.ts";

const reviewed = () =>
  new TaskStory({ name: "login" }).run().sent().over(1, "completed").reviewed();
const view = ({ state }: TaskStory) => taskView(state, state.sessions);

test("[TSK-33] what follows from a session that somebody ended is not final", () => {
  const story = reviewed();
  story.observe({ state: "COMPLETED", has_turns: true });
  assert.equal(view(story).state, "DONE");
  assert.equal(view(story).closed_at, undefined);
  const ended = retrySession({ state: "COMPLETED" });
  story.retry(2, "continue", ended).refused("wrong_state");
  story
    .retry(2, null, ended)
    .then("task.attempt.started", "task.state_changed");
  assert.equal(view(story).state, "IN_PROGRESS");
});

test("[TSK-32] a session that was made while the task was closed is ended", () => {
  const story = reviewed().when({ type: "task.close", as: "done" });
  assert.ok(view(story).closed_at);
  story.observe({ state: "COMPLETED", has_turns: true });
  assert.deepEqual(intend(story.state), []);
  story.observe({ id: sessionId(9), state: "WAITING_FOR_INPUT" });
  assert.deepEqual(intend(story.state), [
    { kind: "end", session_id: sessionId(9), outcome: "completed" },
  ]);
});

test("[TSK-35] a task that is deleted is closed and in the trash, and comes back closed", () => {
  const story = new TaskStory({ name: "login" }).run().sent().works(1);
  story.when({ type: "task.delete" });
  story.then("task.closed", "task.deleted", "task.state_changed");
  assert.equal(view(story).state, "CANCELLED");
  assert.ok(view(story).deleted_at);
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["end"],
  );
  story.when({ type: "task.delete" }).then();
  story.retry(2).refused("task_closed");
  story.when({ type: "task.undelete", name: null }).then("task.undeleted");
  assert.equal(view(story).deleted_at, undefined);
  assert.equal(view(story).name, undefined);
  assert.equal(view(story).state, "CANCELLED");
  story.when({ type: "task.undelete", name: "login" }).then();
  story.over(1, "cancelled", { waiting: [promptId(1)] });
  story.checkFold();
});

test("[TSK-35] one that is done stays done in the trash", () => {
  const story = reviewed().when({ type: "task.close", as: "done" });
  story.when({ type: "task.delete" }).then("task.deleted");
  assert.equal(view(story).state, "DONE");
});
