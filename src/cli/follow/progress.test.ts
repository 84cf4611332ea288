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
} from "./progress.ts";

const after = (from: Progress, ...events: NewEvent[]): Progress =>
  numbered(1, events).reduce(advance, from);

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
