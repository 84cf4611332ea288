import assert from "node:assert/strict";
import { test } from "node:test";
import type { NewEvent } from "../../contract/event/event.ts";
import { PromptId } from "../../contract/base/id.ts";
import type { Session } from "../../contract/session/session.ts";
import {
  AT,
  PROMPT,
  became,
  numbered,
  queued,
  sampleSession,
  turnEnded,
} from "../fixtures/sample.ts";
import { waitingFor } from "./follow.ts";
import { noPrompts, withView } from "../../client/prompt/prompt-phases.ts";
import {
  advance,
  awaiting,
  hasFailed,
  isDoubtful,
  isSettled,
  nothingYet,
  type Progress,
  progressOf,
} from "./progress.ts";

const after = (from: Progress, ...events: NewEvent[]): Progress =>
  numbered(from.prompts.seq + 1, events).reduce(advance, from);

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
  assert.equal(progress.lastTurn, "completed");
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
    assert.equal(hasFailed(progress), state === "ERROR");
  }
});

const cut: NewEvent = {
  type: "session.turn.interrupted",
  data: { turn: 1, prompt_id: PROMPT, reason: "killed" },
};

/** The session was read when this much of it was followed. */
const seen = (progress: Progress, different: Partial<Session>): Progress => ({
  ...progress,
  prompts: withView(
    progress.prompts,
    sampleSession({ last_seq: progress.prompts.seq, ...different }),
  ),
});

const unresolved = (goes_on: { at: string | null } | null) => [
  {
    id: PROMPT,
    session_id: sampleSession().id,
    turn: 1,
    state: "interrupted" as const,
    goes_on,
  },
];

test("an interrupted turn is a failure", () => {
  const progress = after(
    nothingYet,
    queued,
    became("RUNNING"),
    cut,
    became("WAITING_FOR_INPUT"),
  );
  assert.equal(isDoubtful(progress), true);
  assert.equal(isSettled(progress), true);
  assert.equal(hasFailed(progress), true);
});

test("[SES-141] an interrupted turn with which the session goes on is waited for, and what continues it is its outcome", () => {
  const by = PromptId.parse("prm_01jn0000000000000000000000");
  for (const from of [nothingYet, awaiting(nothingYet, PROMPT)]) {
    const goingOn = seen(after(from, queued, became("RUNNING"), cut), {
      unresolved_prompts: unresolved({ at: null }),
    });
    const paused = after(
      goingOn,
      became("WAITING_FOR_INPUT"),
      became("PAUSED"),
    );
    assert.equal(isDoubtful(paused), true);
    const held = seen(paused, { unresolved_prompts: unresolved({ at: AT }) });
    assert.equal(isSettled(held), false);
    assert.match(
      waitingFor({ questions: 0, running: null }, held, new Date(AT)),
      /the turn goes on by itself at \d\d:\d\d/,
    );
    const stopped = seen(paused, { unresolved_prompts: unresolved(null) });
    assert.deepEqual([isSettled(stopped), hasFailed(stopped)], [true, true]);
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
    assert.deepEqual([isSettled(over), hasFailed(over)], [true, false]);
  }
});

test("[SES-141] who comes back to a session that goes on by itself waits for it", () => {
  const session = (goes_on: { at: string | null } | null) =>
    sampleSession({ unresolved_prompts: unresolved(goes_on) });
  assert.equal(isSettled(progressOf(session({ at: null }))), false);
  assert.equal(isSettled(progressOf(session(null))), true);
});

test("[SES-159] a prompt that waits for a quota is waited for; one that stays behind in a paused session is a failure", () => {
  const at = "2026-01-01T05:00:00.000Z";
  const quota = { ...sampleSession().quota, prompts_wait_until: at };
  const waits = seen(
    after(awaiting(nothingYet, PROMPT), queued, became("WAITING_FOR_INPUT")),
    { quota },
  );
  const words = (progress: Progress) =>
    waitingFor({ questions: 0, running: null }, progress, new Date(AT));
  assert.match(words(waits), /the prompt waits and begins by itself at/);
  const rests = after(waits, became("PAUSED"));
  assert.equal(isDoubtful(rests), true);
  assert.equal(isSettled(seen(rests, { state: "PAUSED", quota })), false);
  const paused = seen(rests, { state: "PAUSED" });
  assert.deepEqual([isSettled(paused), hasFailed(paused)], [true, true]);
});

test("a prompt's own turn is waited for, not those queued behind it", () => {
  const other = PromptId.parse("prm_01jn0000000000000000000000");
  const behind: NewEvent = {
    type: "session.prompt.queued",
    data: { prompt_id: other, content: [], text: "later" },
  };
  for (const from of [
    awaiting(nothingYet, PROMPT),
    { ...nothingYet, awaited: "first" as const },
  ]) {
    let progress: Progress = from;
    progress = after(progress, queued, behind, became("RUNNING"));
    assert.equal(isSettled(progress), false);
    progress = after(progress, turnEnded());
    assert.equal(isSettled(progress), true);
    assert.equal(hasFailed(progress), false);
  }
});

test("the turns before one's own do not end the watch, nor decide its outcome", () => {
  const other = PromptId.parse("prm_01jn0000000000000000000000");
  const progress = after(
    awaiting(nothingYet, other),
    queued,
    became("RUNNING"),
    turnEnded("failed"),
    became("WAITING_FOR_INPUT"),
  );
  assert.equal(isSettled(progress), false);
  assert.equal(hasFailed(progress), false);
});

test("types of a later release change nothing", () => {
  const [event] = numbered(1, [queued]);
  assert.ok(event);
  const later = { ...event, type: "session.someday" };
  const { prompts, ...rest } = advance(
    nothingYet,
    JSON.parse(JSON.stringify(later)),
  );
  assert.deepEqual(
    { ...rest, prompts: { ...prompts, seq: 0 } },
    { ...nothingYet, prompts: noPrompts },
  );
});

test("[API-153] an agent that is not there yet is not at work", () => {
  const narrator = { questions: 0, running: null };
  const words = (state: "STARTING" | "RUNNING") =>
    waitingFor(
      narrator,
      { ...nothingYet, prompts: { ...noPrompts, state } },
      new Date(AT),
    );
  assert.match(words("STARTING"), /being started.*downloaded first/);
  assert.equal(words("RUNNING"), "the agent is at work");
});
