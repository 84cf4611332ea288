import assert from "node:assert/strict";
import { test } from "node:test";
import type { NewEvent } from "../../contract/event/event.ts";
import { PromptId } from "../../contract/base/id.ts";
import {
  PROMPT,
  became,
  numbered,
  queued,
  sampleSession,
  turnEnded,
} from "../fixtures/sample.ts";
import { waitingFor } from "./follow.ts";
import {
  type Progress,
  advance,
  isSettled,
  nothingYet,
  progressOf,
  stopGoingOn,
} from "./progress.ts";

const after = (from: Progress, ...events: NewEvent[]): Progress =>
  numbered(1, events).reduce((it, event) => advance(it, event), from);

test("a turn is waited for until its state has settled", () => {
  const steps: [NewEvent, boolean][] = [
    [became("STARTING"), false],
    [queued, false],
    [became("WAITING_FOR_INPUT"), false],
    [became("RUNNING"), false],
    [turnEnded(), false],
    [became("WAITING_FOR_INPUT"), true],
  ];
  let progress = nothingYet;
  for (const [event, settled] of steps) {
    progress = after(progress, event);
    assert.equal(isSettled(progress), settled, event.type);
  }
  assert.equal(progress.outcome, "completed");
});

test("prompts that waited before are waited for too", () => {
  const progress = progressOf(
    sampleSession({
      state: "PAUSED",
      queued_prompts: [
        {
          id: PROMPT,
          session_id: sampleSession().id,
          turn: null,
          state: "queued",
          text: "",
        },
      ],
    }),
  );
  assert.equal(isSettled(progress), false);
  assert.equal(
    isSettled(
      after(progress, {
        type: "session.prompt.cancelled",
        data: { prompt_id: PROMPT },
      }),
    ),
    true,
  );
});

test("a session that is paused or fails while watched is not waited for", () => {
  for (const state of ["PAUSED", "ERROR", "COMPLETED"] as const) {
    const progress = after(
      nothingYet,
      queued,
      became("RUNNING"),
      became(state),
    );
    assert.equal(isSettled(progress), true, state);
    assert.equal(progress.outcome, state === "ERROR" ? "failed" : "none");
  }
});

test("an interrupted turn is a failure", () => {
  const progress = after(
    nothingYet,
    queued,
    became("RUNNING"),
    {
      type: "session.turn.interrupted",
      data: { turn: 1, prompt_id: PROMPT, reason: "killed" },
    },
    became("WAITING_FOR_INPUT"),
  );
  assert.equal(isSettled(progress), true);
  assert.equal(progress.outcome, "failed");
});

test("[SES-141] an interrupted turn with which the session goes on is waited for, and what continues it is its outcome", () => {
  const by = PromptId.parse("prm_01jn0000000000000000000000");
  const cut: NewEvent = {
    type: "session.turn.interrupted",
    data: { turn: 1, prompt_id: PROMPT, reason: "killed" },
  };
  for (const awaited of [PROMPT, null]) {
    const begun = after({ ...nothingYet, awaited }, queued, became("RUNNING"));
    const [event] = numbered(1, [cut]);
    assert.ok(event);
    const held = after(
      advance(begun, event, true),
      became("WAITING_FOR_INPUT"),
    );
    assert.equal(isSettled(held), false);
    assert.equal(
      waitingFor({ questions: 0, running: null }, held),
      "the turn was cut off and goes on by itself",
    );
    const stopped = stopGoingOn(held);
    assert.deepEqual([isSettled(stopped), stopped.outcome], [true, "failed"]);
    const goneOn = after(
      held,
      {
        type: "session.prompt.queued",
        data: { prompt_id: by, content: [], text: "go on" },
      },
      {
        type: "session.prompt.resolved",
        data: { prompt_id: PROMPT, action: "continue", by, unasked: true },
      },
      became("RUNNING"),
    );
    assert.equal(isSettled(goneOn), false);
    const over = after(
      goneOn,
      {
        type: "session.turn.ended",
        data: {
          turn: 2,
          prompt_id: by,
          outcome: "completed",
          stop_reason: "end_turn",
          error: null,
          usage: null,
        },
      },
      became("WAITING_FOR_INPUT"),
    );
    assert.deepEqual([isSettled(over), over.outcome], [true, "completed"]);
  }
});

test("a prompt's own turn is waited for, not those queued behind it", () => {
  const other = PromptId.parse("prm_01jn0000000000000000000000");
  const behind: NewEvent = {
    type: "session.prompt.queued",
    data: { prompt_id: other, content: [], text: "later" },
  };
  for (const awaited of [PROMPT, "first"] as const) {
    let progress: Progress = { ...nothingYet, awaited };
    progress = after(progress, queued, behind, became("RUNNING"));
    assert.equal(isSettled(progress), false);
    progress = after(progress, turnEnded());
    assert.equal(isSettled(progress), true);
    assert.equal(progress.outcome, "completed");
  }
});

test("the turns before one's own do not end the watch, nor decide its outcome", () => {
  const other = PromptId.parse("prm_01jn0000000000000000000000");
  const progress = after(
    { ...nothingYet, awaited: other },
    queued,
    became("RUNNING"),
    turnEnded("failed"),
    became("WAITING_FOR_INPUT"),
  );
  assert.equal(isSettled(progress), false);
  assert.equal(progress.outcome, "none");
});

test("types of a later release change nothing", () => {
  const [event] = numbered(1, [queued]);
  assert.ok(event);
  const later = { ...event, type: "session.someday" };
  assert.equal(
    advance(nothingYet, JSON.parse(JSON.stringify(later))),
    nothingYet,
  );
});

test("[API-153] an agent that is not there yet is not at work", () => {
  const narrator = { questions: 0, running: null };
  const words = (state: "STARTING" | "RUNNING") =>
    waitingFor(narrator, { ...nothingYet, state });
  assert.match(words("STARTING"), /being started.*downloaded first/);
  assert.equal(words("RUNNING"), "the agent is at work");
});
