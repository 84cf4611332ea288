import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Budget } from "../../contract/base/budget.ts";
import { permissionId } from "../../contract/base/id.ts";
import type { Event } from "../../contract/event/event.ts";
import type { ReportItem } from "../../contract/link/report.ts";
import { evolve } from "../evolve/evolve.ts";
import { intend } from "../intend.ts";
import { checkInvariants } from "../invariants.ts";
import { spentOf } from "../state/limits/budget.ts";
import { continuationOf } from "../state/continuation.ts";
import { overdue } from "../state/limits/limits.ts";
import type { State } from "../state/state.ts";
import { runningCalls } from "../state/tool-calls.ts";
import { runningTurn } from "../state/turns.ts";
import { askItem, at, prompt, Story } from "../testing.ts";
import { viewOf } from "../view/view.ts";
import { isIdle } from "./lifecycle.ts";

const withBudget = (budget: Budget, more: object = {}): Story =>
  new Story({ budget, ...more }).up();

const call = (
  story: Story,
  id: string,
  status: "pending" | "in_progress" | "completed" = "in_progress",
): ReportItem => ({
  kind: "tool",
  tool: { id, title: id, status },
  range: story.words(3),
});

const cost = (story: Story, amount: number): ReportItem => ({
  kind: "usage",
  usage: { input_tokens: 1, output_tokens: 0, total_tokens: 1 },
  cost: amount,
  range: story.words(3),
});

const endedWith = (story: Story, n: number, total_tokens: number): Story =>
  story.report({
    kind: "turn_ended",
    prompt_id: prompt(n),
    stop_reason: "end_turn",
    usage: { input_tokens: total_tokens, output_tokens: 0, total_tokens },
    error: null,
    range: story.words(3),
  });

test("[SES-104] after the last turn of the budget no other begins: waiting prompts wait, and further ones are refused", () => {
  const story = withBudget({ turns: 1 }).queue(1).queue(2).deliver(1);
  story.endTurn(1);
  assert.deepEqual(story.last("session.budget.reached"), {
    what: "turns",
    limit: 1,
    spent: 1,
  });
  assert.equal(story.last("session.turn.ended").stop_reason, "end_turn");
  assert.equal(story.name, "WAITING_FOR_INPUT");
  assert.deepEqual(
    story.state.prompts.queue.map(({ id }) => id),
    [prompt(2)],
  );
  assert.deepEqual(intend(story.state), []);
  assert.ok(isIdle(story.state), "its agent may be stopped all the same");
  assert.equal(viewOf(story.state).budget?.reached, "turns");
  story
    .when({ type: "prompt.queue", prompt_id: prompt(3), content: [] })
    .thenRefused("budget_reached", /1 of 1 turns\. Raise it/);
});

test("[SES-105] a raised budget lets what waits begin, and counts what was spent before", () => {
  const story = withBudget({ turns: 1 }).queue(1).queue(2).deliver(1);
  story.endTurn(1);
  story
    .given({ type: "budget.set", budget: { turns: 1, tokens: 9 } })
    .thenEvents(
      "session.budget.changed",
      "session.budget.reached",
      "session.notice",
    );
  story.given({ type: "budget.set", budget: { turns: 2 } });
  assert.equal(runningTurn(story.state)?.prompt_id, prompt(2));
  story.deliver(2).endTurn(2);
  assert.equal(story.last("session.budget.reached").spent, 2);
  story.given({ type: "budget.set", budget: null });
  assert.equal(viewOf(story.state).budget, null);
  story.queue(3);
  assert.equal(story.name, "RUNNING");
});

/** Its budget of one turn is used up, a prompt waits, and its agent has been told to stop. */
const resting = (why: "idle" | "paused"): Story => {
  const story = withBudget({ turns: 1 }).queue(1).queue(2).deliver(1);
  story.endTurn(1);
  return story.given(
    why === "idle"
      ? { type: "session.rest" }
      : { type: "session.pause", reason: "paused" },
  );
};

test("[SES-151] a raised budget brings a session back that rests because it was idle; a person's own pause holds", () => {
  const raise = { type: "budget.set", budget: { turns: 2 } } as const;
  const stopped = { kind: "stopped" } as const;
  const idle = resting("idle").die([], stopped);
  assert.equal(idle.name, "PAUSED");
  idle.given({ type: "budget.set", budget: { turns: 1, tokens: 9 } });
  assert.equal(idle.name, "PAUSED", "it leaves nothing");
  idle.given(raise);
  assert.equal(idle.name, "STARTING");
  idle.begin().ready({ opened: "resumed" });
  assert.equal(runningTurn(idle.state)?.prompt_id, prompt(2));

  const meanwhile = resting("idle").given(raise).die([], stopped);
  assert.equal(meanwhile.name, "STARTING");

  const paused = resting("paused").die([], stopped).given(raise);
  assert.equal(paused.name, "PAUSED");
  const pausedToo = resting("idle").given(
    { type: "session.pause", reason: "paused" },
    raise,
  );
  assert.equal(pausedToo.die([], stopped).name, "PAUSED");
});

test("[SES-104] tokens are counted when a turn is over, cost whenever the agent tells it", () => {
  const tokens = withBudget({ tokens: 100 }).queue(1).deliver(1);
  endedWith(tokens, 1, 60);
  assert.equal(tokens.state.budget.reached, null);
  tokens.queue(2).deliver(2);
  endedWith(tokens, 2, 60);
  assert.equal(tokens.last("session.budget.reached").spent, 120);

  const paid = withBudget({ cost: 2 }).queue(1).deliver(1);
  paid.report(cost(paid, 0.5)).report(cost(paid, 1.5)).endTurn(1);
  assert.equal(spentOf(paid.state).cost, 1.5);
  paid.die().ask(2).begin().ready({ opened: "resumed" }).deliver(2);
  paid.report(cost(paid, 0.25));
  assert.equal(spentOf(paid.state).cost, 1.75, "it counts anew");
  paid.report(cost(paid, 0.75)).thenEvents(
    "session.usage",
    {
      type: "session.budget.reached",
      data: { what: "cost", limit: 2, spent: 2.25 },
    },
    "session.notice",
    { type: "session.turn.cancel_requested", data: { limit: "budget" } },
  );
  paid.endTurn(2, "cancelled");
  assert.equal(paid.last("session.turn.ended").stop_reason, "budget");
});

test("[SES-106] the tool call that runs may end; then the turn is cancelled", () => {
  const story = withBudget({ cost: 1 }).queue(1).deliver(1);
  story.report(call(story, "a")).report(cost(story, 1));
  assert.equal(runningTurn(story.state)?.cancelling, false);
  story.report({
    kind: "text",
    role: "agent",
    text: "still",
    range: story.words(5),
  });
  assert.equal(runningTurn(story.state)?.cancelling, false);
  story
    .report(call(story, "a", "completed"))
    .thenEvents("session.tool.updated", "session.turn.cancel_requested");
});

test("[SES-106] all calls that run at once may end, whatever begins beside them; a call that waits for a person is not waited for", () => {
  const several = withBudget({ cost: 1 }).queue(1).deliver(1);
  several.report(call(several, "a")).report(call(several, "b"));
  several.report(cost(several, 1)).report(call(several, "a", "completed"));
  assert.equal(runningTurn(several.state)?.cancelling, false);
  several.report(call(several, "c"));
  assert.equal(runningTurn(several.state)?.cancelling, false);
  several
    .report(call(several, "b", "completed"))
    .thenEvents("session.tool.updated", "session.turn.cancel_requested");

  const asking = withBudget({ cost: 1 }).queue(1).deliver(1);
  asking.report(call(asking, "a", "pending"));
  const ask = askItem(permissionId(1, 1), asking.words(3), {
    tool_call_id: "a",
  });
  asking.report(ask).report(cost(asking, 1));
  assert.equal(runningTurn(asking.state)?.beyond?.limit, "budget");
  assert.equal(asking.state.permissions.pending.length, 0);
});

test("[SES-106] no policy answers when the budget is used up: a call that asks beside one that runs waits and ends with the turn", () => {
  const story = withBudget(
    { cost: 1 },
    {
      definition: {
        agent: "demo",
        home: "user",
        env_names: [],
        permissions: { default: "allow-all", rules: [] },
      },
    },
  );
  story.queue(1).deliver(1);
  story.report(call(story, "a")).report(cost(story, 1));
  story.report(
    askItem(permissionId(1, 1), story.words(3), { tool_call_id: "b" }),
  );
  assert.equal(story.state.permissions.pending.length, 1);
  assert.equal(runningTurn(story.state)?.cancelling, false);
  story.report(call(story, "a", "completed"));
  assert.equal(runningTurn(story.state)?.cancelling, true);
  assert.equal(story.state.permissions.pending.length, 0);
});

test("[SES-152] a budget below what is spent is taken, and is used up at once", () => {
  const story = withBudget({ turns: 9 }).queue(1).deliver(1).endTurn(1);
  story.queue(2).deliver(2);
  story
    .given({ type: "session.change", changes: { budget: { turns: 1 } } })
    .thenEvents(
      "session.budget.changed",
      "session.budget.reached",
      "session.notice",
      "session.turn.cancel_requested",
    );
  assert.equal(viewOf(story.state).budget?.reached, "turns");
});

test("[SES-107] minutes count while the agent works, and not while it waits for a person", () => {
  const story = withBudget({ minutes: 0.1 }).queue(1);
  story.deliver(1).say("one");
  assert.equal(story.state.budget.spent.worked_ms, 1000);
  const id = permissionId(1, 1);
  story.report(askItem(id, story.words(3)));
  assert.equal(story.state.budget.spent.worked_ms, 2000);
  story.given({ type: "workspace.share", with: story.state.id });
  story.given({
    type: "permission.answer",
    permission_id: id,
    option_id: "yes",
  });
  assert.equal(story.state.budget.spent.worked_ms, 2000, "it waited");
  story.report({ kind: "answer_delivered", range: null, permission_id: id });
  assert.equal(story.state.budget.spent.worked_ms, 3000);
  const { newest_at } = story.state.times;
  const later = (seconds: number) =>
    at(Number(newest_at.slice(17, 19)) + seconds);
  assert.equal(overdue(story.state, later(2)), null);
  assert.equal(overdue(story.state, later(3)), "budget");
  story.say("three").say("four");
  story.given({ type: "turn.hold" }).thenEvents(
    {
      type: "session.budget.reached",
      data: { what: "minutes", limit: 0.1, spent: 0.1 },
    },
    "session.notice",
    "session.turn.cancel_requested",
  );
});

test("[SES-108] a call that goes on for ever is cancelled after five minutes, and an agent that does not cancel is stopped after 30 seconds", () => {
  const story = withBudget({ cost: 1 }).queue(1).deliver(1);
  story.report(call(story, "a")).report(cost(story, 1));
  const minutes = (n: number) => `2026-01-01T00:0${n}:59.000Z`;
  assert.equal(overdue(story.state, minutes(3)), null);
  assert.equal(overdue(story.state, minutes(5)), "cancel");
  story.report(call(story, "b"));
  assert.equal(overdue(story.state, at(30)), null);
  assert.equal(
    overdue(story.state, minutes(1)),
    "cancel",
    "it goes on spending",
  );
  story.report(call(story, "a", "completed"));
  assert.equal(overdue(story.state, at(30)), null);
  assert.equal(overdue(story.state, minutes(1)), "stop");
});

test("[SES-104] a turn that was cut off is not continued when the budget is used up", () => {
  const story = withBudget({ turns: 1 }, { on_interrupt: "continue" });
  story.queue(1).deliver(1).die();
  assert.equal(continuationOf(story.state), null);
  story.given({ type: "budget.set", budget: { turns: 2 } });
  assert.equal(continuationOf(story.state)?.prompt_id, prompt(1));
});

/** The calls that ran when the budget was used up. */
const ranAtReached = (events: readonly Event[], reached: number): string[] => {
  const before = events.slice(0, reached).reduce<State | null>(evolve, null);
  assert.ok(before !== null);
  return runningCalls(before.output.tools).map(({ id }) => id);
};

test("[SES-106] no call that ran when the budget was used up is cut off, and the turn is cancelled as soon as none of them runs", () => {
  const step = fc.record({
    what: fc.constantFrom("call", "end", "ask", "pay", "talk"),
    id: fc.constantFrom("a", "b", "c", "d"),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.array(step, { maxLength: 40 }),
      (limit, steps) => {
        const story = withBudget({ cost: limit }).queue(1).deliver(1);
        let paid = 0;
        let asked = false;
        steps.forEach(({ what, id }, n) => {
          if (runningTurn(story.state)?.cancelling === true) return;
          if (what === "pay") story.report(cost(story, (paid += 1)));
          else if (what === "talk") story.say("words");
          else if (what === "ask") {
            asked = true;
            story.report(
              askItem(permissionId(1, n), story.words(3), { tool_call_id: id }),
            );
          } else
            story.report(
              call(story, id, what === "end" ? "completed" : "in_progress"),
            );
        });
        checkInvariants(story.events);
        const reached = story.events.findIndex(
          ({ type }) => type === "session.budget.reached",
        );
        if (reached < 0) return;
        const before = story.events
          .slice(0, reached)
          .reduce<State | null>(evolve, null);
        assert.ok(before !== null && (spentOf(before).cost ?? 0) >= limit);
        if (asked) return;
        const running = new Set(
          runningCalls(story.state.output.tools).map(({ id }) => id),
        );
        const left = ranAtReached(story.events, reached).filter((id) =>
          running.has(id),
        );
        // A call that ended and began again with the same id is another one.
        const isCancelled = runningTurn(story.state)?.cancelling === true;
        if (!isCancelled) assert.ok(left.length > 0);
      },
    ),
    { seed: Number(process.env["SEED"] ?? 1) },
  );
});
