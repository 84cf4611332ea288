import assert from "node:assert/strict";
import { test } from "node:test";
import { isTerminal, StateName } from "../contract/session/state.ts";
import { AttemptOutcome, type TaskState } from "../contract/task/task.ts";
import type { Attempt, Progress, State } from "./state.ts";
import { taskState } from "./task-state.ts";
import {
  attemptId,
  promptId,
  second,
  sessionId,
  TaskStory,
} from "./fixtures/task-story.ts";

const attempt = (progress: Progress): Attempt => ({
  id: attemptId(1),
  number: 1,
  mode: "first",
  agent: "demo",
  session_id: sessionId(1),
  prompts: [
    {
      id: promptId(1),
      is_sent: true,
      waits: false,
      context_version: 1,
      over: null,
    },
  ],
  clock: { worked_ms: 0, working_since: null },
  timed_out_at: null,
  was_resumed: false,
  has_other_budget: false,
  template: null,
  started_at: second(0),
  progress,
});

const ended = (outcome: AttemptOutcome): Progress => ({
  kind: "ended",
  at: second(1),
  outcome,
  reason: null,
  agent_session_id: null,
  resume: null,
  files_changed: null,
  files_left_out: 0,
  last_words: null,
});

const task = (changes: Partial<State>): State => ({
  ...new TaskStory().state,
  ...changes,
});

/** Of a task whose only attempt succeeded, did not, or that had none; by its only session, with and without a turn. */
const table: Record<
  StateName,
  { none: [TaskState, TaskState]; succeeded: TaskState; other: TaskState }
> = {
  CREATED: { none: ["TODO", "REVIEW"], succeeded: "REVIEW", other: "FAILED" },
  STARTING: {
    none: ["IN_PROGRESS", "IN_PROGRESS"],
    succeeded: "IN_PROGRESS",
    other: "IN_PROGRESS",
  },
  RUNNING: {
    none: ["IN_PROGRESS", "IN_PROGRESS"],
    succeeded: "IN_PROGRESS",
    other: "IN_PROGRESS",
  },
  WAITING_FOR_INPUT: {
    none: ["TODO", "REVIEW"],
    succeeded: "REVIEW",
    other: "FAILED",
  },
  PAUSED: { none: ["TODO", "REVIEW"], succeeded: "REVIEW", other: "FAILED" },
  ERROR: { none: ["FAILED", "FAILED"], succeeded: "FAILED", other: "FAILED" },
  COMPLETED: { none: ["DONE", "DONE"], succeeded: "DONE", other: "DONE" },
  CANCELLED: {
    none: ["CANCELLED", "CANCELLED"],
    succeeded: "CANCELLED",
    other: "CANCELLED",
  },
  FAILED: { none: ["FAILED", "FAILED"], succeeded: "FAILED", other: "FAILED" },
};

test("[TSK-5] the state of a task over all states of its session and all outcomes of its attempt", () => {
  for (const state of StateName.options) {
    const row = table[state];
    const standing = (has_turns: boolean) => [{ state, has_turns }];
    assert.equal(taskState(task({}), standing(false)), row.none[0], state);
    assert.equal(taskState(task({}), standing(true)), row.none[1], state);
    for (const outcome of AttemptOutcome.options) {
      const tried = task({ attempts: [attempt(ended(outcome))] });
      const expected = outcome === "succeeded" ? row.succeeded : row.other;
      const name = `${state} after ${outcome}`;
      assert.equal(taskState(tried, standing(true)), expected, name);
      const again = { ...tried, next_retry: { at: second(9), mode: "fresh" } };
      assert.equal(
        taskState(again as State, standing(true)),
        "IN_PROGRESS",
        `${name}, to be tried again`,
      );
    }
    const open = task({ attempts: [attempt({ kind: "under way" })] });
    assert.equal(taskState(open, standing(true)), "IN_PROGRESS", state);
    for (const closed of ["done", "cancelled"] as const)
      assert.equal(
        taskState(task({ closed }), standing(true)),
        closed.toUpperCase(),
      );
  }
});

test("[TSK-5] a task without sessions is to do", () => {
  assert.equal(taskState(task({}), []), "TODO");
});

test("[TSK-5] one session that runs is enough, whatever the newest one is", () => {
  for (const state of StateName.options.filter(isTerminal))
    assert.equal(
      taskState(task({}), [
        { state: "RUNNING", has_turns: true },
        { state, has_turns: true },
      ]),
      "IN_PROGRESS",
    );
});
