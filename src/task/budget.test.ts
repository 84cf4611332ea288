import assert from "node:assert/strict";
import { test } from "node:test";
import type { Budget, Spent } from "../contract/base/budget.ts";
import { budgetFor, spentOf, usedUpBy } from "./budget.ts";
import {
  idsOf,
  promptId,
  retrySession,
  sessionId,
  TaskStory,
} from "./fixtures/task-story.ts";
import { taskView } from "./view.ts";

const RETRY = { limit: 3, backoff_seconds: 10, most_seconds: 600 };

const spent = (turns: number, more: Partial<Spent> = {}): Spent => ({
  turns,
  minutes: 0,
  tokens: null,
  cost: null,
  ...more,
});

test("[TSK-60] what was spent counts once for each session, and a session may spend what the others left", () => {
  const story = new TaskStory({ budget: { turns: 10, cost: 5 } });
  story.run().sent().works(1).over(1, "interrupted");
  story.reviewed({ spent: spent(2, { cost: 1 }) });
  story.retry(2, "continue").sent().over(2, "interrupted");
  story.reviewed({ spent: spent(3, { cost: 1.5 }) });
  assert.deepEqual(spentOf(story.state), spent(3, { cost: 1.5 }));
  assert.deepEqual(budgetFor(story.state, null), { turns: 7, cost: 3.5 });
  assert.deepEqual(budgetFor(story.state, sessionId(1)), {
    turns: 10,
    cost: 5,
  });
  story.retry(3, "fresh").sent(sessionId(2));
  story.over(3, "completed", { id: sessionId(2) });
  story.reviewed({ spent: spent(4, { tokens: 7 }) });
  assert.deepEqual(spentOf(story.state), spent(7, { cost: 1.5, tokens: 7 }));
  assert.deepEqual(budgetFor(story.state, sessionId(2)), {
    turns: 7,
    cost: 3.5,
  });
  assert.equal(taskView(story.state, []).budget?.reached, null);
  story.checkFold();
});

test("[TSK-61] [TSK-62] a used-up budget is not tried again, by nobody, until it is raised", () => {
  const story = new TaskStory({ budget: { turns: 2 }, retry: RETRY });
  story.run().sent().works(1).over(1, "interrupted");
  story.reviewed({ spent: spent(2) });
  assert.equal(story.state.next_retry, null);
  assert.deepEqual(usedUpBy(story.state), {
    what: "turns",
    limit: 2,
    spent: 2,
  });
  assert.equal(taskView(story.state, []).state, "FAILED");
  story.retry(2).refused("budget_reached");
  const { title, description, session, retry, timeout_minutes } = story.state;
  const same = { title, description, session, retry, timeout_minutes };
  story.when({ type: "task.describe", ...same, budget: { turns: 2 } }).then();
  story
    .when({ type: "task.describe", ...same, budget: { turns: 4 } })
    .then("task.described");
  story.retry(2).then("task.attempt.started", "task.state_changed");
});

test("[TSK-71] what is new is refused where the budget leaves no attempt for it, and nothing changes", () => {
  const story = new TaskStory({ budget: { turns: 1 } });
  story.run().sent().works(1).over(1, "completed");
  story.reviewed({ spent: spent(1) });
  const before = story.state;
  assert.equal(taskView(before, []).state, "REVIEW");
  const add = (n: number) =>
    story.when({
      type: "context.add",
      contexts: [{ text: "And more." }],
      ids: idsOf(n),
      session: retrySession(),
    });
  add(2).refused("budget_reached");
  assert.equal(story.state, before);
  story.when({
    type: "budget.set",
    budget: { turns: 2 },
    ids: idsOf(3),
    session: retrySession(),
  });
  add(4);
  assert.equal(story.state.attempts.length, 2);
  story.checkFold();
});

test("[TSK-61] a prompt that waits in a session without budget fails its attempt with that reason", () => {
  const story = new TaskStory({ budget: { turns: 1 }, retry: RETRY });
  story.run().sent().works(1).add(2, "more").sent();
  story.over(1, "completed", {
    waiting: [promptId(2)],
    error: { code: "budget_reached", text: "the budget is used up" },
  });
  story.reviewed({ spent: spent(1) });
  const { progress } = story.state.attempts[0] ?? {};
  assert.ok(progress?.kind === "ended");
  assert.deepEqual(
    [progress.outcome, progress.reason?.code],
    ["failed", "budget_reached"],
  );
  assert.equal(story.state.next_retry, null);
});

const REACHED = {
  code: "budget_reached",
  text: "the budget is used up",
} as const;

const setBudget = (
  story: TaskStory,
  budget: Budget | null,
  n: number,
): TaskStory =>
  story.when({
    type: "budget.set",
    budget,
    ids: idsOf(n),
    session: retrySession(),
  });

test("[TSK-67] a budget that is raised has an attempt go on that stopped at it", () => {
  const story = new TaskStory({ budget: { turns: 1 } });
  story.run().sent().works(1).over(1, "cancelled", {}, REACHED);
  story.reviewed({ spent: spent(1) });
  setBudget(story, { turns: 1 }, 2).then();
  setBudget(story, { turns: 1, cost: 5 }, 2).then("task.described");
  setBudget(story, { turns: 3 }, 2).then(
    "task.described",
    "task.attempt.started",
    "task.state_changed",
  );
  assert.equal(story.sending.session_id, sessionId(1));
  assert.equal(story.state.attempts.at(-1)?.mode, "continue");
  assert.deepEqual(budgetFor(story.state, sessionId(1)), { turns: 3 });
  story
    .sent()
    .over(2, "completed")
    .reviewed({ spent: spent(2) });
  setBudget(story, { turns: 9 }, 3).then("task.described");
  story.checkFold();
});

test("[TSK-67] an attempt that stops at the budget it began with goes on where the task's was raised meanwhile", () => {
  const story = new TaskStory({ budget: { turns: 1 } });
  story.run().sent().works(1);
  setBudget(story, { turns: 5 }, 2).then("task.described");
  story.over(1, "cancelled", {}, REACHED);
  story
    .reviewed({ spent: spent(1) })
    .then("task.attempt.ended", "task.attempt.started");
  const again = new TaskStory({ budget: { turns: 1 } });
  again.run().sent().works(1).over(1, "cancelled", {}, REACHED);
  again
    .reviewed({ spent: spent(1) })
    .then("task.attempt.ended", "task.state_changed");
});

test("[TSK-67] a retry that the budget forbade comes when it is raised", () => {
  const story = new TaskStory({ budget: { turns: 1 }, retry: RETRY });
  story.run().sent().works(1).over(1, "interrupted");
  story.reviewed({ spent: spent(1) });
  assert.equal(story.state.next_retry, null);
  setBudget(story, { turns: 2 }, 2).then(
    "task.described",
    "task.retry.scheduled",
    "task.state_changed",
  );
  setBudget(story, null, 3).then("task.described");
  assert.equal(story.state.had_budget, true);
});

test("[TSK-67] a closed task has its budget for good", () => {
  const story = new TaskStory({ budget: { turns: 1 } });
  story.when({ type: "task.close", as: "done" });
  setBudget(story, { turns: 5 }, 2).refused("task_closed");
});
