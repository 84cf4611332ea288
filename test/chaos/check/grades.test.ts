import assert from "node:assert/strict";
import { test } from "node:test";
import { CheckpointId } from "../../../src/contract/session/checkpoint.ts";
import type { Event, NewEvent } from "../../../src/contract/event/event.ts";
import { at, prompt, SESSION } from "../../../src/session/testing.ts";
import { Violations } from "../violation.ts";
import { checkGrades } from "./grades.ts";

const turn = (number: number): NewEvent[] => [
  {
    type: "session.turn.started",
    data: { turn: number, prompt_id: prompt(number), epoch: 1 },
  },
  {
    type: "session.turn.ended",
    data: {
      turn: number,
      prompt_id: prompt(number),
      outcome: "completed",
      stop_reason: "end_turn",
      error: null,
      usage: null,
    },
  },
];

const rewoundTo = (number: number): NewEvent => ({
  type: "session.rewound",
  data: {
    turn: number,
    from_turn: 2,
    checkpoint_id: CheckpointId.parse("chk_1"),
    memory: null,
    changes: 0,
  },
});

const freshStart = (lost: string | null): NewEvent => ({
  type: "session.resumed",
  data: {
    resume: {
      strategy: "fresh",
      grade: "fresh",
      path: "fast",
      workspace: null,
      verified: false,
      lost,
      took_ms: 1,
    },
  },
});

const violationsOf = (happened: readonly NewEvent[]): number => {
  const journal = happened.map((event, index): Event => ({
    ...event,
    seq: index + 1,
    at: at(index),
    session_id: SESSION,
    task_id: null,
  }));
  const violations = new Violations();
  const play = { name: "s1", agent: "demo-fresh" };
  checkGrades({ play, journal, violations });
  return violations.all.length;
};

test("[P6] a fresh start says what is lost, and says nothing where nothing is", () => {
  const turns = [...turn(1), ...turn(2)];
  assert.equal(violationsOf([freshStart(null)]), 0);
  assert.equal(violationsOf([...turns, freshStart("all")]), 0);
  assert.equal(violationsOf([...turns, freshStart(null)]), 1);
  assert.equal(violationsOf([...turns, rewoundTo(1), freshStart(null)]), 1);
  assert.equal(violationsOf([...turns, rewoundTo(0), freshStart(null)]), 0);
});
