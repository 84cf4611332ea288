import assert from "node:assert/strict";
import { test } from "node:test";
import { elapsedMs, laterBy } from "../../../kit/time/elapsed.ts";
import { intend } from "../../intend.ts";
import { checkInvariants } from "../../invariants.ts";
import { abilities, prompt, Story } from "../../testing.ts";
import { viewOf } from "../../view/view.ts";
import { attentionOf } from "../attention.ts";
import { continuationOf } from "../continuation.ts";
import { handOverOf } from "./hand-over.ts";

const LATER = "2026-01-01T05:00:00.000Z";
const SOON = 3000;

const agentOf = (story: Story): string => story.state.agent.definition.agent;
const kinds = (story: Story): string[] =>
  intend(story.state).map(({ kind }) => kind);

/** A session of `demo` whose quota is used up in its first turn. */
const cut = (on_quota: string, resets_at: string | null = LATER): Story =>
  new Story({ on_quota }).up().queue(1).deliver(1).useUp(1, resets_at);

const inAWhile = (story: Story, ms = SOON): string =>
  laterBy(story.state.times.newest_at, ms);

/** What the runtime does about the hand-over that is due. */
const handOver = (story: Story, n: number): Story => {
  const due = handOverOf(story.state);
  assert.ok(due !== null, "a hand-over is due");
  const { to, prompt_id } = due;
  const content = [{ type: "text" as const, text: "go on" }];
  story.given({
    type: "quota.hand_over",
    to,
    prompt_id,
    by: prompt_id === null ? null : { prompt_id: prompt(n), content },
    definition: { ...story.state.agent.definition, agent: to },
    abilities: abilities({ resume: false, load: false }),
  });
  return story.state.execution === null
    ? story
    : story.die([], { kind: "stopped" });
};

const passOver = (story: Story, agent: string): Story =>
  story.given({
    type: "quota.pass_over",
    agent,
    code: "agent_not_installed",
    message: "not installed",
  });

/** Nothing happens until the quota that is waited for is filled again. */
const waitForQuota = (story: Story): Story => {
  const { due_at } = attentionOf(story.state);
  assert.ok(due_at !== null, "something is waited for");
  const ms = elapsedMs(story.state.times.newest_at, due_at);
  return story.pass(ms / 1000).given({ type: "quota.look" });
};

test("[SES-120] without on_quota, on_interrupt says what is done about a quota", () => {
  for (const on_interrupt of ["wait", "continue"] as const) {
    const story = new Story({ on_interrupt }).up();
    assert.equal(viewOf(story.state).on_quota, on_interrupt);
  }
});

test("[SES-121] with wait the turn stays interrupted, whatever on_interrupt says, and the session says until when", () => {
  const story = new Story({ on_interrupt: "continue", on_quota: "wait" });
  story.up().queue(1).deliver(1).useUp(1, LATER);
  assert.equal(continuationOf(story.state), null);
  assert.deepEqual(attentionOf(story.state).due_at, null);
  assert.deepEqual(viewOf(story.state).quota, {
    used_up: [{ agent: "demo", until: LATER, is_told: true }],
    stands_in_for: null,
    goes_on_at: null,
    prompts_wait_until: null,
    next_agent: null,
  });
});

test("[SES-122] with continue the turn goes on at the time, also where other interruptions wait for a person", () => {
  const story = cut("continue");
  assert.equal(continuationOf(story.state)?.not_before, LATER);
  assert.equal(viewOf(story.state).quota.goes_on_at, LATER);
  const died = new Story({ on_quota: "continue" }).up().queue(1).deliver(1);
  assert.equal(continuationOf(died.die().state), null);
});

test("[SES-123] with handoff another agent goes on with the prompt, in one append", () => {
  const story = cut("handoff:a,b");
  assert.deepEqual(intend(story.state), [
    { kind: "hand_over", to: "a", prompt_id: prompt(1) },
  ]);
  handOver(story, 2);
  assert.equal(agentOf(story), "a");
  assert.equal(story.name, "STARTING");
  const { quota, from } = story.last("session.handed_off");
  assert.deepEqual([from, quota], ["demo", { why: "used_up", until: LATER }]);
  assert.deepEqual(story.last("session.prompt.resolved"), {
    prompt_id: prompt(1),
    action: "continue",
    by: prompt(2),
    unasked: true,
  });
  story.begin().ready();
  assert.equal(story.last("session.resumed").resume.grade, "injected");
  assert.equal(story.last("session.turn.started").prompt_id, prompt(2));
  assert.deepEqual(story.state.prompts.unresolved, []);
  assert.equal(viewOf(story.state).quota.stands_in_for, "demo");
  checkInvariants(story.events);
});

test("[SES-124] what the turn left is captured before the session changes hands", () => {
  const story = new Story({ checkpoints: true, on_quota: "handoff:a" });
  story.captured(1).up().queue(1).deliver(1).useUp(1, LATER);
  assert.deepEqual(kinds(story), ["checkpoint"]);
  story.captured(2);
  assert.deepEqual(kinds(story), ["hand_over"]);
});

test("[SES-125] prompts that wait come after the one that a quota cut off", () => {
  const story = new Story({ on_quota: "handoff:a" }).up().queue(1).deliver(1);
  story.ask(7).useUp(1, LATER).ask(8);
  assert.equal(story.name, "WAITING_FOR_INPUT");
  handOver(story, 2).begin().ready();
  assert.equal(story.last("session.turn.started").prompt_id, prompt(2));
  const waiting = story.state.prompts.queue.map(({ id }) => id);
  assert.deepEqual(waiting, [prompt(7), prompt(8)]);
  checkInvariants(story.events);
});

test("[SES-125] prompts go on when somebody drops the one that they waited for", () => {
  const story = new Story({ on_quota: "handoff:a" }).up().queue(1).deliver(1);
  story.useUp(1, LATER).ask(7);
  story.given({
    type: "prompt.resolve",
    prompt_id: prompt(1),
    action: "drop",
    by: null,
  });
  assert.equal(story.last("session.turn.started").prompt_id, prompt(7));
  assert.equal(handOverOf(story.state), null);
});

test("[SES-126] an agent that cannot stand in is passed over, and looked at again for the next turn", () => {
  const story = passOver(cut("handoff:a,b"), "a");
  assert.equal(handOverOf(story.state)?.to, "b");
  handOver(story, 2).begin().ready().deliver(2);
  assert.deepEqual(story.state.quotas.passed_over, []);
  // A command that comes late changes nothing.
  story.when({
    type: "quota.pass_over",
    agent: "a",
    code: "agent_not_installed",
    message: "",
  });
  story.thenEvents();
});

test("[SES-126] an agent that cannot be started is passed over, and its prompt goes to the next", () => {
  const story = handOver(cut("handoff:a,b"), 2).begin();
  story
    .report({
      kind: "start_failed",
      range: null,
      failure: "restriction_not_held",
      message: "The tools cannot be held.",
    })
    .die();
  assert.equal(story.name, "ERROR");
  handOver(story, 3);
  assert.equal(story.last("session.quota.passed_over").agent, "a");
  assert.equal(story.last("session.handed_off").quota?.why, "failed");
  assert.deepEqual([story.name, agentOf(story)], ["STARTING", "b"]);
  story.begin().ready();
  assert.equal(story.last("session.turn.started").prompt_id, prompt(2));
});

test("[SES-126] where no agent can be started at all, no other one is tried", () => {
  const story = handOver(cut("handoff:a,b"), 2).given({
    type: "execution.fail",
    epoch: null,
    code: "agentctl_unavailable",
    message: "away",
  });
  assert.equal(story.name, "ERROR");
  assert.equal(handOverOf(story.state), null);
});

test("[SES-127] where every quota is used up, the session waits for the one that is filled first", () => {
  const story = cut("handoff:a", LATER);
  handOver(story, 2).begin().ready().deliver(2);
  story.useUp(2, inAWhile(story));
  assert.equal(handOverOf(story.state), null);
  assert.equal(continuationOf(story.state), null);
  assert.deepEqual(kinds(story), []);
  const { goes_on_at } = viewOf(story.state).quota;
  assert.equal(goes_on_at, attentionOf(story.state).due_at);
  waitForQuota(story);
  assert.deepEqual(kinds(story), ["continue"], "with the agent that it has");
  assert.equal(continuationOf(story.state)?.pause_ms, 0);
});

test("[SES-127] the agent whose quota is filled first may be another one", () => {
  const story = cut("handoff:a", LATER);
  handOver(story, 2).begin().ready().deliver(2);
  story.useUp(2, "2026-01-01T09:00:00.000Z");
  assert.equal(attentionOf(story.state).due_at, LATER);
  assert.equal(attentionOf(story.state).live, true);
});

test("[SES-128] when its quota is filled again, the first agent gets the session back, between two turns", () => {
  const story = new Story({ on_quota: "handoff:a" }).up().queue(1).deliver(1);
  story.useUp(1, inAWhile(story, 60_000));
  handOver(story, 2).begin().ready().deliver(2);
  story.ask(3);
  story.pass(100).given({ type: "quota.look" });
  assert.equal(agentOf(story), "a", "not in the middle of a turn");
  story.endTurn(2);
  assert.equal(story.last("session.quota.filled").agent, "demo");
  assert.deepEqual(intend(story.state), [
    { kind: "hand_over", to: "demo", prompt_id: null },
  ]);
  handOver(story, 4).begin().ready();
  assert.equal(agentOf(story), "demo");
  assert.equal(story.last("session.handed_off").quota?.why, "filled");
  assert.equal(story.last("session.turn.started").prompt_id, prompt(3));
  assert.equal(viewOf(story.state).quota.stands_in_for, null);
  checkInvariants(story.events);
});

test("[SES-128] a session at rest goes back at the time, and no agent is started for it", () => {
  const story = new Story({ on_quota: "handoff:a" }).up().queue(1).deliver(1);
  const until = inAWhile(story, 60_000);
  story.useUp(1, until);
  handOver(story, 2).begin().ready().deliver(2).endTurn(2);
  story.given({ type: "session.pause", reason: "paused" });
  story.die([], { kind: "stopped" });
  assert.deepEqual(attentionOf(story.state), { live: false, due_at: until });
  waitForQuota(story);
  assert.deepEqual(attentionOf(story.state), { live: true, due_at: null });
  handOver(story, 3);
  assert.deepEqual([story.name, agentOf(story)], ["PAUSED", "demo"]);
  assert.deepEqual(intend(story.state), []);
});

test("[SES-129] a person who hands the session off decides whose it is", () => {
  const story = handOver(cut("handoff:a"), 2).begin().ready().deliver(2);
  story.endTurn(2).given({
    type: "session.handoff",
    definition: { agent: "b", home: "user", env_names: [] },
    abilities: abilities(),
  });
  assert.equal(story.state.quotas.first, null);
  assert.equal(attentionOf(story.state).due_at, null);
});

test("[SES-130] an agent that says again and again that its quota is used up for a moment is believed less and less", () => {
  const story = new Story({ on_quota: "wait" }).up();
  const tried = (n: number): Story =>
    story
      .ask(n)
      .given({ type: "session.resume", trigger: "request", now: true })
      .deliver(n);
  const untils: number[] = [];
  for (let n = 1; n <= 9; n++) {
    tried(n);
    const at = story.state.times.newest_at;
    story.useUp(n, laterBy(at, 1500));
    const [quota] = story.state.quotas.known;
    assert.ok(quota?.until != null);
    const { newest_at } = story.state.times;
    untils.push(
      Math.round((Date.parse(quota.until) - Date.parse(newest_at)) / 60_000),
    );
  }
  assert.deepEqual(untils, [0, 1, 2, 4, 8, 16, 32, 60, 60]);
  tried(10).endTurn(10);
  assert.deepEqual(story.state.quotas.known, []);
});

test("[SES-130] an agent that does not say until when is tried again after an hour", () => {
  const story = cut("handoff:a", null);
  assert.deepEqual(
    viewOf(story.state).quota.used_up.map(({ is_told }) => is_told),
    [false],
  );
  handOver(story, 2);
  assert.equal(story.last("session.handed_off").quota?.until, null);
});

test("[SES-104] [SES-123] a session whose budget is used up is not handed over until it is raised", () => {
  const story = cut("handoff:demo-inject");
  assert.equal(handOverOf(story.state)?.to, "demo-inject");
  story.given({ type: "budget.set", budget: { turns: 1 } });
  assert.equal(handOverOf(story.state), null);
  story.given({ type: "budget.set", budget: null });
  assert.equal(handOverOf(story.state)?.to, "demo-inject");
});

test("[SES-83] [SES-153] prompts that wait for another agent wait for the quota when on_quota is wait", () => {
  const story = cut("handoff:demo-inject").queue(2);
  assert.equal(story.state.lifecycle.name, "WAITING_FOR_INPUT");
  story.given({ type: "session.change", changes: { on_quota: "wait" } });
  assert.equal(story.state.lifecycle.name, "WAITING_FOR_INPUT");
  waitForQuota(story);
  assert.equal(story.state.lifecycle.name, "RUNNING");
  assert.equal(handOverOf(story.state), null);
});

test("[SES-130] a time that has come when it is heard is believed too: the turn goes on at once, with the same agent", () => {
  const story = cut("handoff:demo-inject", "2020-01-01T00:00:00.000Z");
  assert.equal(handOverOf(story.state), null);
  assert.deepEqual(
    story.state.quotas.known.map(({ until, is_told }) => [until, is_told]),
    [[null, true]],
  );
  assert.notEqual(continuationOf(story.state), null);
});
