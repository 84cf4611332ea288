import assert from "node:assert/strict";
import { test } from "node:test";
import type { UnresolvedPrompt } from "../../contract/session/prompt.ts";
import {
  asked,
  at,
  interrupted,
  sessionId,
  stateChanged,
  turnEnded,
} from "../fixtures/happenings.ts";
import { fittingBody } from "./fitting-body.ts";
import { isSent, messageOf, testMessage } from "./message.ts";
import { isSettled, notifyReasonOf } from "./note.ts";

const one = sessionId(1);

void test("[WHK-5] [WHK-7] a message names its event, and its body says type, time and data", () => {
  const event = turnEnded(one, 12);
  const message = messageOf(event, null);
  assert.equal(message.id, `evt_${one}_12`);
  assert.deepEqual(JSON.parse(message.body), {
    type: "session.turn.ended",
    timestamp: at(12),
    data: { session_id: one, task_id: null, seq: 12, ...event.data },
  });
  const session = { name: "Other", agent: "demo", cwd: "/work" };
  assert.equal(messageOf(event, session).body, message.body);
  assert.doesNotMatch(testMessage("01", at(1)).id, /\./);
});

void test("[WHK-4] a permission that a policy answers is told to nobody", () => {
  assert.ok(isSent(asked(one, 1)));
  const answered = asked(one, 1, "Read a", { answered_by: "policy" });
  assert.ok(!isSent(answered));
  assert.equal(notifyReasonOf(answered), null);
});

void test("[WHK-6] a body has less than 20,000 bytes, whatever is in the event, and keeps who it is about", () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  let state = seed;
  const next = (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % most;
  };
  const texts = ["a", "Ü", "🙂", '"', "\u0001", "\ud800"];
  const value = (depth: number): unknown => {
    const kind = next(depth > 3 ? 2 : 5);
    if (kind === 0) return next(1e9);
    if (kind === 1)
      return (texts[next(texts.length)] ?? "").repeat(next(30_000));
    if (kind === 2)
      return Array.from({ length: next(300) }, () => value(depth + 2));
    return Object.fromEntries(
      Array.from({ length: next(8) }, (_, i) => [`k${i}`, value(depth + 1)]),
    );
  };
  for (let i = 0; i < 40; i++) {
    const ids = { session_id: one, task_id: null, seq: i + 1 };
    const body = fittingBody("session.turn.ended", at(1), {
      ...ids,
      a: value(0),
      b: value(0),
    });
    assert.ok(Buffer.byteLength(body) < 20_000, `seed ${seed}, ${i}`);
    const { data, ...rest } = JSON.parse(body);
    assert.deepEqual(rest, { type: "session.turn.ended", timestamp: at(1) });
    const { session_id, task_id, seq } = data;
    assert.deepEqual({ session_id, task_id, seq }, ids);
  }
});

void test("[WHK-6] long texts are cut, and the body says so; short ones are not touched", () => {
  const long = messageOf(asked(one, 1, "x".repeat(50_000)), null);
  const { data } = JSON.parse(long.body);
  assert.equal(data.truncated, true);
  assert.match(data.permission.title, /^x{100,}…$/);
  assert.equal(data.permission.options[0].kind, "allow_once");
  assert.equal(
    JSON.parse(messageOf(asked(one, 1), null).body).data.truncated,
    undefined,
  );
});

void test("[WHK-19] a note says which session it is about and what it needs, in one line without control characters", () => {
  const session = { name: null, agent: "claude", cwd: "/home/me/shop" };
  assert.deepEqual(messageOf(asked(one, 1, "rm\n\u001b[2Ja"), session).note, {
    title: "Needs you: claude in shop",
    text: "It asks: rm [2Ja",
    isUrgent: true,
  });
  assert.deepEqual(
    messageOf(turnEnded(one, 1), { ...session, name: "Fix login" }).note,
    {
      title: "Finished: Fix login",
      text: "Turn 1 is over: completed",
      isUrgent: false,
    },
  );
  const reasons = (
    ["completed", "cancelled", "refused", "failed"] as const
  ).map((outcome) => notifyReasonOf(turnEnded(one, 1, { outcome })));
  assert.deepEqual(reasons, ["finished", null, "needs_you", "needs_you"]);
  const spent = { outcome: "cancelled", stop_reason: "budget" } as const;
  assert.equal(notifyReasonOf(turnEnded(one, 1, spent)), "needs_you");
});

void test("[WHK-4] [WHK-19] a prompt of which nobody knows whether the agent got it is told to programs and to people", () => {
  const cut = interrupted(one, 3);
  const event = { ...cut, type: "session.prompt.uncertain" } as const;
  assert.ok(isSent(event));
  assert.equal(notifyReasonOf(event), "needs_you");
  assert.match(messageOf(event, null).note.text, /^Nobody knows .* turn 1: /);
  const prompt = { id: event.data.prompt_id, session_id: one, turn: 1 };
  const uncertain = { ...prompt, state: "uncertain" } as const;
  const isSettledWith = (unresolved_prompts: UnresolvedPrompt[]): boolean =>
    isSettled(event, {
      state: "PAUSED",
      status: "paused",
      pending_permissions: [],
      unresolved_prompts,
    });
  assert.ok(!isSettledWith([uncertain]));
  assert.ok(isSettledWith([]));
});

void test("[WHK-23] a session in ERROR is told to programs and to people, with its reason; other states are not", () => {
  const failed = stateChanged(one, 4, "ERROR", "No such model.");
  assert.ok(isSent(failed));
  assert.deepEqual(messageOf(failed, null).note, {
    title: `Needs you: ${one}`,
    text: "It is in ERROR and does nothing until somebody looks: No such model.",
    isUrgent: true,
  });
  const paused = stateChanged(one, 4, "PAUSED");
  assert.ok(!isSent(paused));
  assert.equal(notifyReasonOf(paused), null);
});

void test("[WHK-24] nobody is said to be needed where the turn goes on by itself, somebody has decided, or another notification tells it", () => {
  const event = interrupted(one, 3);
  const { prompt_id: id } = event.data;
  const cut = { id, session_id: one, turn: 1, state: "interrupted" } as const;
  type Standing = NonNullable<Parameters<typeof isSettled>[1]>;
  const standing = (more: Partial<Standing>): Standing => ({
    state: "PAUSED",
    status: "paused",
    pending_permissions: [],
    unresolved_prompts: [{ ...cut, goes_on: null }],
    ...more,
  });
  assert.ok(!isSettled(event, standing({})));
  assert.ok(!isSettled(event, standing({ unresolved_prompts: [cut] })));
  assert.ok(!isSettled(event, null));
  for (const goes_on of [{ at: null }, { at: at(99) }])
    assert.ok(
      isSettled(event, standing({ unresolved_prompts: [{ ...cut, goes_on }] })),
    );
  assert.ok(isSettled(event, standing({ unresolved_prompts: [] })));
  assert.ok(isSettled(event, standing({ state: "ERROR" })));

  const question = asked(one, 5);
  assert.ok(question.type === "session.permission.requested");
  const pending_permissions = [question.data.permission];
  assert.ok(!isSettled(question, standing({ pending_permissions })));
  assert.ok(isSettled(question, standing({})));

  const failed = stateChanged(one, 4, "ERROR");
  assert.ok(!isSettled(failed, standing({ state: "ERROR" })));
  assert.ok(isSettled(failed, standing({ state: "RUNNING" })));
  const next_agent = { at: null };
  const replaced = standing({ state: "ERROR", quota: { next_agent } });
  assert.ok(isSettled(failed, replaced));
  assert.ok(
    isSettled(event, standing({ state: "CANCELLED", status: "ended" })),
  );
});
