import assert from "node:assert/strict";
import { test } from "node:test";
import { CheckpointId } from "../../../src/contract/session/checkpoint.ts";
import type { Event, NewEvent } from "../../../src/contract/event/event.ts";
import type { Resume } from "../../../src/contract/agent/resume.ts";
import {
  at,
  capture,
  execution,
  prompt,
  SESSION,
  tree,
} from "../../../src/session/testing.ts";
import { Violations } from "../violation.ts";
import { checkLosses } from "./losses.ts";

const memory = { tree: tree(9), token: "t", cwd: "/work", renamed: false };

const saved = (agent_state: string | null): NewEvent => ({
  type: "session.checkpoint.saved",
  data: { checkpoint: checkpoint(agent_state) },
});
const failed: NewEvent = {
  type: "session.checkpoint.failed",
  data: { checkpoint: { ...checkpoint(null), outcome: "failed", tree: null } },
};
function checkpoint(agent_state: string | null) {
  return {
    ...capture(1, { agent_state }),
    id: CheckpointId.parse("chk_1"),
    turn: 1,
    kind: "pause" as const,
    shared: false,
    seq: 1,
    token: "t",
    cwd: "/work",
    at: at(1),
  };
}

const started = (put: typeof memory | null): NewEvent => ({
  type: "session.execution.started",
  data: {
    execution_id: execution(2),
    epoch: 2,
    term: 1,
    path: "cold",
    strategy: "native",
    token: "t",
    rebuild: { tree: tree(1), restore: true, memory: put },
  },
});

const resumed = (
  grade: Resume["grade"],
  lost: string | null = null,
): NewEvent => ({
  type: "session.resumed",
  data: {
    resume: {
      strategy: grade === "native" ? "native" : "injected",
      grade,
      path: "cold",
      workspace: "restored",
      verified: grade === "native",
      lost,
      took_ms: 1,
    },
  },
});

const turn: NewEvent = {
  type: "session.turn.started",
  data: { turn: 1, prompt_id: prompt(1), epoch: 1 },
};

const delivered: NewEvent = {
  type: "session.prompt.delivered",
  data: { turn: 1, prompt_id: prompt(1), epoch: 1 },
};
const requeued: NewEvent = {
  type: "session.prompt.requeued",
  data: { turn: 1, prompt_id: prompt(1), content: [] },
};

/** What is said of a session that lost its workspace and its agent's memory after these events. */
const complaintsOf = (
  before: readonly NewEvent[],
  after: readonly NewEvent[],
): number => {
  const journal = [...before, ...after].map((event, index): Event => ({
    ...event,
    seq: index + 1,
    at: at(index),
    session_id: SESSION,
    task_id: null,
  }));
  const violations = new Violations();
  const losses = [{ seq: before.length, workspace: true, memory: true }];
  checkLosses({
    play: { name: "s1", agent: "demo", losses },
    journal,
    violations,
  });
  return violations.all.length;
};

const rested = [turn, saved(tree(9))];
const openly = resumed("injected", "The agent's own memory of 1 turn is lost.");

test("[CPT-4] a memory that was saved comes back native", () => {
  assert.equal(complaintsOf(rested, [started(memory), resumed("native")]), 0);
  assert.equal(complaintsOf(rested, [started(memory), openly]), 1);
  assert.equal(complaintsOf(rested, [started(null), openly]), 2);
});

test("[CPT-4] the history is given instead where the newest checkpoint failed or has no memory, and it is said what is lost", () => {
  for (const none of [failed, saved(null)]) {
    assert.equal(complaintsOf(rested, [none, started(null), openly]), 0);
    assert.equal(complaintsOf(rested, [none, started(memory), openly]), 0);
    const silent = resumed("injected");
    assert.equal(complaintsOf(rested, [none, started(null), silent]), 1);
  }
});

test("[CPT-4] an agent that was to be given the history, and was not yet, is to be given it still", () => {
  const waits = [...rested, openly, saved(tree(9))];
  const verdict = (since: readonly NewEvent[]): number =>
    complaintsOf([...waits, ...since], [started(memory), openly]);
  assert.equal(verdict([]), 0);
  assert.equal(verdict([resumed("reattached")]), 0);
  assert.equal(verdict([turn, requeued, saved(tree(9))]), 0);
  assert.equal(verdict([turn, delivered, saved(tree(9))]), 1);
  assert.equal(verdict([resumed("native"), saved(tree(9))]), 1);
});
