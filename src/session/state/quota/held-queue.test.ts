import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PromptId } from "../../../contract/base/id.ts";
import { elapsedMs, laterBy } from "../../../kit/time/elapsed.ts";
import { isIdle } from "../../decide/lifecycle.ts";
import { intend } from "../../intend.ts";
import { checkInvariants } from "../../invariants.ts";
import { abilities, prompt, Story } from "../../testing.ts";
import { goesOnOf } from "../../view/goes-on.ts";
import { viewOf } from "../../view/view.ts";
import { attentionOf } from "../attention.ts";
import { cutTurnOf } from "../cut-turn.ts";
import { runningTurn } from "../turns.ts";
import { handOverOf } from "./hand-over.ts";

const LATER = "2026-01-01T05:00:00.000Z";

const cut = (on_quota: string, resets_at: string | null = LATER): Story =>
  new Story({ on_quota }).up().queue(1).deliver(1).useUp(1, resets_at);

const waiting = (story: Story): PromptId[] =>
  story.state.prompts.queue.map(({ id }) => id);

const current = (story: Story): PromptId | undefined =>
  runningTurn(story.state)?.prompt_id;

/** Nothing happens until something is due; then the session is looked at. */
const untilDue = (story: Story): Story => {
  const { due_at } = attentionOf(story.state);
  assert.ok(due_at !== null, "something is waited for");
  const ms = elapsedMs(story.state.times.newest_at, due_at);
  return story.pass(ms / 1000).given({ type: "quota.look" });
};

const goOn = (story: Story, of: number, n: number, unasked = true): Story =>
  story.given({
    type: "prompt.resolve",
    prompt_id: prompt(of),
    action: "continue",
    by: {
      prompt_id: prompt(n),
      content: [{ type: "text", text: "go on" }],
    },
    ...(unasked && { unasked }),
  });

const setOnQuota = (story: Story, on_quota: string): Story =>
  story.given({ type: "session.change", changes: { on_quota } });

test("[SES-153] with wait, prompts wait in their order until the quota is filled again", () => {
  const story = new Story({ on_quota: "wait" }).up().queue(1).deliver(1);
  story.ask(2).useUp(1, LATER).ask(3);
  assert.equal(story.name, "WAITING_FOR_INPUT");
  assert.deepEqual(waiting(story), [prompt(2), prompt(3)]);
  assert.equal(attentionOf(story.state).due_at, LATER);
  assert.equal(viewOf(story.state).quota.prompts_wait_until, LATER);
  assert.ok(isIdle(story.state), "its agent may be stopped meanwhile");
  untilDue(story);
  assert.equal(current(story), prompt(2));
  story.deliver(2).endTurn(2);
  assert.equal(current(story), prompt(3));
  assert.equal(viewOf(story.state).quota.prompts_wait_until, null);
  assert.deepEqual(
    story.state.prompts.unresolved.map(({ id }) => id),
    [prompt(1)],
    "the turn that was cut off still waits for a person",
  );
  checkInvariants(story.events);
});

test("[SES-153] the first prompt that waits is told so, and one after the time begins at once", () => {
  const story = cut("wait").ask(2);
  assert.equal(story.last("session.notice").code, "prompts_wait");
  assert.match(story.last("session.notice").text, /until 2026-01-01T05:00/);
  story.ask(3).thenEvents("session.prompt.queued");
  const later = cut("wait").pass(6 * 3600);
  assert.equal(attentionOf(later.state).due_at, null, "nothing waits");
  assert.equal(current(later.ask(2)), prompt(2));
});

test("[SES-153] prompts begin at the time also where the agent died, or was stopped for idleness; a person's pause holds", () => {
  const died = cut("wait").ask(2).die();
  assert.deepEqual(intend(died.state), []);
  untilDue(died).begin().ready({ opened: "resumed" });
  assert.equal(current(died), prompt(2));

  const rested = cut("wait").ask(2).given({ type: "session.rest" });
  rested.die([], { kind: "stopped" });
  assert.equal(rested.name, "PAUSED");
  untilDue(rested).begin().ready({ opened: "resumed" });
  assert.equal(current(rested), prompt(2));

  const meanwhile = cut("wait").ask(2).given({ type: "session.rest" });
  untilDue(meanwhile).die([], { kind: "stopped" });
  assert.equal(meanwhile.name, "STARTING", "the time came while it stopped");

  const paused = cut("wait").ask(2);
  paused.given({ type: "session.pause", reason: "paused" });
  paused.die([], { kind: "stopped" });
  assert.equal(attentionOf(paused.state).due_at, null);
  setOnQuota(paused, "continue");
  assert.equal(paused.name, "PAUSED");
});

test("[SES-157] the session says when prompts begin by themselves, and nothing where they do not", () => {
  const until = ({ state }: Story) => viewOf(state).quota.prompts_wait_until;
  const rested = cut("wait").ask(2).given({ type: "session.rest" });
  assert.equal(until(rested.die([], { kind: "stopped" })), LATER);
  assert.equal(until(rested.ask(3)), LATER, "while its agent is started");
  const paused = cut("wait").ask(2);
  paused.given({ type: "session.pause", reason: "paused" });
  assert.equal(until(paused.die([], { kind: "stopped" })), null);
  const deleted = cut("wait").ask(2).given({ type: "session.delete" });
  assert.equal(until(deleted), null);
});

test("[SES-160] with handoff, `now` has the session go back to its own agent", () => {
  const now = {
    type: "session.resume",
    trigger: "request",
    now: true,
  } as const;
  const all = cut("handoff:a");
  all.given({
    type: "quota.pass_over",
    agent: "a",
    code: "agent_not_installed",
    message: "not installed",
  });
  all.given(now);
  assert.equal(all.last("session.quota.filled").by_hand, true);
  assert.deepEqual(goesOnOf(all.state), { prompt_id: prompt(1), at: null });

  const story = cut("handoff:a");
  const own = story.state.agent.definition.agent;
  story.given({
    type: "quota.hand_over",
    to: "a",
    prompt_id: prompt(1),
    by: { prompt_id: prompt(2), content: [{ type: "text", text: "on" }] },
    definition: { ...story.state.agent.definition, agent: "a" },
    abilities: abilities({ resume: false, load: false }),
  });
  if (story.state.execution !== null) story.die([], { kind: "stopped" });
  story.begin().ready().deliver(2).endTurn(2);
  assert.equal(handOverOf(story.state), null);
  story.given(now);
  assert.deepEqual(handOverOf(story.state), {
    to: own,
    prompt_id: null,
    why: "filled",
  });
  checkInvariants(story.events);
});

test("[SES-154] whoever resumes the session with `now` has the agent tried at once", () => {
  const story = cut("wait").ask(2);
  // Who only watches does not have it tried.
  story.given({ type: "session.resume", trigger: "request" }).thenEvents();
  story.given({ type: "session.resume", trigger: "request", now: true });
  assert.equal(story.last("session.quota.filled").by_hand, true);
  assert.equal(current(story), prompt(2));
  story.deliver(2).useUp(2, laterBy(story.state.times.newest_at, 5000)).ask(3);
  const { due_at } = attentionOf(story.state);
  assert.ok(due_at !== null);
  assert.ok(elapsedMs(story.state.times.newest_at, due_at) > 50_000);
  const goes = cut("continue").ask(2);
  goes.given({ type: "session.resume", trigger: "request", now: true });
  assert.deepEqual(
    intend(goes.state).map(({ kind }) => kind),
    ["continue"],
    "the turn that was cut off first",
  );
  assert.deepEqual(waiting(goes), [prompt(2)]);
  const startup = cut("wait").ask(2).die();
  startup.given({ type: "session.resume", trigger: "startup", report: null });
  assert.ok(!startup.types().includes("session.quota.filled"));
});

test("[SES-154] [SES-155] a turn that somebody continues is tried at once, before the prompts that wait", () => {
  const story = goOn(cut("wait").ask(7), 1, 2, false);
  assert.equal(current(story), prompt(2));
  assert.deepEqual(waiting(story), [prompt(7)]);
  story.deliver(2).endTurn(2);
  assert.equal(current(story), prompt(7));
});

test("[SES-155] with continue the turn that was cut off goes on before the prompts that wait, also where one comes just at the time", () => {
  const story = cut("continue").ask(7);
  assert.deepEqual(waiting(story), [prompt(7)]);
  assert.equal(attentionOf(story.state).due_at, LATER);
  assert.ok(cutTurnOf(story.state, prompt(1))?.isNewest);
  story.pass(5 * 3600).ask(8);
  assert.equal(story.name, "WAITING_FOR_INPUT");
  goOn(story, 1, 2);
  assert.equal(current(story), prompt(2));
  assert.deepEqual(waiting(story), [prompt(7), prompt(8)]);
  // Where the agent tells no time, it is tried after a pause as before.
  const untold = cut("continue", null).ask(7);
  assert.equal(intend(untold.state)[0]?.kind, "continue");
  assert.equal(current(goOn(untold, 1, 2)), prompt(2));
});

test("[SES-155] a prompt that brings a paused session back does not go before the turn that waits for its time", () => {
  const story = cut("continue").given({
    type: "session.pause",
    reason: "paused",
  });
  story.die([], { kind: "stopped" }).ask(7);
  assert.equal(story.name, "STARTING");
  assert.deepEqual(goesOnOf(story.state), {
    prompt_id: prompt(1),
    at: LATER,
  });
  story.begin().ready({ opened: "resumed" });
  assert.deepEqual(waiting(story), [prompt(7)]);
  assert.equal(attentionOf(story.state).due_at, LATER);
});

test("[SES-156] on_quota is changed to and fro: the turn that was cut off goes on all the same, before prompts that wait", () => {
  const story = cut("handoff:a").ask(7);
  story.given({
    type: "quota.pass_over",
    agent: "a",
    code: "agent_not_installed",
    message: "not installed",
  });
  setOnQuota(story, "wait");
  assert.equal(current(story), undefined, "nothing is sent to an empty quota");
  setOnQuota(story, "continue");
  assert.deepEqual(goesOnOf(story.state), { prompt_id: prompt(1), at: LATER });
  setOnQuota(story, "handoff:a");
  assert.deepEqual(handOverOf(story.state), {
    to: "a",
    prompt_id: prompt(1),
    why: "used_up",
  });
  checkInvariants(story.events);
});

test("[SES-153] another agent does not wait for the quota of the one before", () => {
  for (const isUp of [true, false]) {
    const story = cut("wait").ask(2);
    if (!isUp) story.die();
    story.given({
      type: "session.handoff",
      definition: { ...story.state.agent.definition, agent: "b" },
      abilities: abilities({ resume: false, load: false }),
    });
    if (isUp) story.die([], { kind: "stopped" });
    assert.equal(story.name, "STARTING");
  }
});

/** A world that does what is intended, with deaths, quotas, changes and people at random. */
const play = (story: Story, choices: readonly number[]): PromptId[] => {
  const sent: PromptId[] = [];
  let n = 0;
  const ask = () => {
    sent.push(prompt((n += 1)));
    story.ask(n);
  };
  ask();
  for (const choice of choices) {
    const [intent] = intend(story.state);
    const { due_at } = attentionOf(story.state);
    const running = current(story);
    if (choice % 13 === 0) setOnQuota(story, ["wait", "continue"][n % 2] ?? "");
    else if (choice % 11 === 0)
      story.given({ type: "session.resume", trigger: "request", now: true });
    else if (choice % 7 === 0) ask();
    else if (choice % 5 === 0 && story.state.execution !== null)
      story.die(running === undefined ? [] : [running]);
    else if (intent?.kind === "continue")
      goOn(story, Number(intent.prompt_id.slice(4)), (n += 1));
    else if (intent?.kind === "begin") story.begin();
    else if (intent?.kind === "launch") story.ready();
    else if (intent?.kind === "stop") story.die([], { kind: "stopped" });
    else if (intent?.kind === "deliver")
      story.deliver(Number(intent.prompt_id.slice(4)));
    else if (running !== undefined)
      if (choice % 2 === 0) story.endTurn(Number(running.slice(4)));
      else
        story.useUp(
          Number(running.slice(4)),
          choice % 3 === 0
            ? null
            : laterBy(story.state.times.newest_at, choice * 1000),
        );
    else if (choice % 4 === 0) story.given({ type: "session.rest" });
    else if (due_at !== null) {
      const ms = elapsedMs(story.state.times.newest_at, due_at);
      story.pass(Math.max(0, Math.ceil(ms / 1000)));
      const due = story.state.prompts.unresolved.at(-1);
      const isForTurn = viewOf(story.state).unresolved_prompts.some(
        ({ goes_on }) => goes_on != null,
      );
      if (isForTurn && due !== undefined)
        goOn(story, Number(due.id.slice(4)), (n += 1));
      else story.given({ type: "quota.look" });
    }
    checkInvariants(story.events);
  }
  return sent;
};

test("[SES-153] whatever dies and is changed when, no prompt is lost, none is sent twice, and the order is kept", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(60), { minLength: 20, maxLength: 90, size: "max" }),
      (choices) => {
        const story = new Story({ on_quota: "wait" });
        const sent = play(story, choices);
        const begun = story.events.flatMap((event) =>
          event.type === "session.turn.started" ? [event.data.prompt_id] : [],
        );
        const order = [...new Set(begun)].filter((id) => sent.includes(id));
        assert.deepEqual(
          [
            ...order,
            ...waiting(story).filter(
              (id) => sent.includes(id) && !order.includes(id),
            ),
          ],
          sent,
        );
        const delivered = story.events.flatMap((event) =>
          event.type === "session.prompt.delivered"
            ? [event.data.prompt_id]
            : [],
        );
        assert.equal(new Set(delivered).size, delivered.length);
        const rest = attentionOf(story.state);
        const isStuck =
          waiting(story).length > 0 &&
          intend(story.state).length === 0 &&
          rest.due_at === null &&
          story.name !== "RUNNING" &&
          story.name !== "ERROR";
        assert.ok(!isStuck, `${story.name} and nothing to wait for`);
      },
    ),
    { numRuns: 200, seed: Number(process.env["SEED"] ?? 1) },
  );
});
