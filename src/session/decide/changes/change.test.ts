import assert from "node:assert/strict";
import { test } from "node:test";
import type { Offered } from "../../../contract/agent/offered.ts";
import type {
  InForce,
  Restriction,
} from "../../../contract/agent/restriction.ts";
import type { ChangeSessionRequest } from "../../../contract/api/change-request.ts";
import type { ReportItem } from "../../../contract/link/report.ts";
import { intend } from "../../intend.ts";
import type { Command } from "../../state/command.ts";
import { creation, readyItem, Story } from "../../testing.ts";
import { lostByHandoff } from "../change-definition.ts";
import { listedViewOf } from "../../view/listed-view.ts";
import { viewOf } from "../../view/view.ts";

const choice = (id: string) => ({ id, name: id, description: null });
const offered: Offered = {
  modes: { current: "work", available: [choice("work"), choice("read-only")] },
  options: [
    {
      id: "llm",
      name: "Model",
      description: null,
      category: "model",
      current: "small",
      values: [],
    },
  ],
  models: null,
};
const inForce = (mode: string): InForce => ({
  mode: { value: mode, held: "agent" },
  model: null,
  settings: null,
  tools: null,
});
const restriction: Restriction = {
  what: "mode",
  asked: "readonly",
  reason: "not_offered",
  valid: ["work", "read-only"],
  message: null,
};

const change = (changes: ChangeSessionRequest): Command => ({
  type: "session.change",
  changes,
});
const applied = (number: number, mode: string): ReportItem => ({
  kind: "change_applied",
  range: null,
  change: number,
  applied: inForce(mode),
  offered: {
    ...offered,
    modes: { ...(offered.modes ?? { available: [] }), current: mode },
  },
});
const refused = (number: number): ReportItem => ({
  kind: "change_refused",
  range: null,
  change: number,
  restriction,
});

/** Its agent runs, and has told what it offers. */
const running = (): Story =>
  new Story()
    .ask(1)
    .begin()
    .report(
      readyItem({ from: 0, to: 4 }, { applied: inForce("work"), offered }),
    );

const changeIntents = (story: Story) =>
  intend(story.state).filter(({ kind }) => kind === "change");

test("[SES-83] where no agent runs, a change is in the definition at once, and the next start has it", () => {
  const story = new Story();
  story
    .when(change({ name: "new", on_interrupt: "continue", mode: "read-only" }))
    .thenEvents(
      { type: "session.changed", data: { name: "new" } },
      "session.definition.changed",
    );
  const { name, on_interrupt, definition } = viewOf(story.state);
  assert.deepEqual(
    [name, on_interrupt, definition.mode],
    ["new", "continue", "read-only"],
  );
  assert.deepEqual(changeIntents(story), []);
  story.when(change({ name: "new", mode: "read-only" })).thenEvents();
});

test("[SES-83] [SES-105] a budget and what is done about quotas change at once, whether an agent runs or not", () => {
  for (const story of [new Story(), running()]) {
    story
      .when(change({ on_quota: "continue", budget: { turns: 9 } }))
      .thenEvents("session.budget.changed", {
        type: "session.changed",
        data: { on_quota: "continue" },
      });
    const { on_quota, budget } = viewOf(story.state);
    assert.deepEqual([on_quota, budget?.limits], ["continue", { turns: 9 }]);
    story
      .when(change({ on_quota: "continue", budget: { turns: 9 } }))
      .thenEvents();
    story.when(change({ budget: null })).thenEvents("session.budget.changed");
    assert.equal(viewOf(story.state).budget, null);
  }
});

test("[SES-83] of an ended session only the name can be changed", () => {
  const story = new Story().given({
    type: "session.end",
    outcome: "completed",
    reason: "requested",
  });
  story.given(change({ name: "done" }));
  assert.equal(viewOf(story.state).name, "done");
  const others: ChangeSessionRequest[] = [
    { mode: "work" },
    { budget: { turns: 1 } },
    { name: "more", on_quota: "continue" },
    { on_interrupt: "continue" },
  ];
  for (const other of others) {
    story.when(change(other));
    assert.ok(
      story.decision.kind === "refused" &&
        story.decision.code === "session_ended",
    );
  }
});

test("[SES-84] [SES-85] an agent that runs is told, and the definition changes when it confirmed", () => {
  const story = running();
  story
    .when(change({ name: "careful", mode: "read-only" }))
    .thenEvents("session.change.requested");
  assert.deepEqual(
    [viewOf(story.state).name, viewOf(story.state).definition.mode],
    [null, undefined],
  );
  assert.equal(changeIntents(story).length, 1);
  story.report(applied(1, "read-only"));
  story.thenEvents(
    { type: "session.changed", data: { name: "careful" } },
    { type: "session.definition.changed", data: { change: 1 } },
  );
  const view = viewOf(story.state);
  assert.equal(view.definition.mode, "read-only");
  assert.equal(view.applied?.mode?.value, "read-only");
  assert.equal(view.offered?.modes?.current, "read-only");
  assert.deepEqual(changeIntents(story), []);
});

test("[SES-85] a refused change leaves everything as it was, and says why", () => {
  const story = running();
  const before = viewOf(story.state);
  story.given(change({ name: "careful", mode: "readonly" })).report(refused(1));
  story.thenEvents({
    type: "session.change.refused",
    data: { change: 1, restriction },
  });
  const after = viewOf(story.state);
  assert.deepEqual(
    [after.name, after.definition, after.applied],
    [before.name, before.definition, before.applied],
  );
  const { seq } = story.events.at(-1) ?? {};
  assert.deepEqual(story.state.agent.changes.refused, [{ change: 1, seq }]);
});

test("[SES-150] a budget that is changed with settings changes with them, or not at all", () => {
  const story = new Story({ budget: { turns: 1 } }).ask(1).begin();
  story
    .report(
      readyItem({ from: 0, to: 4 }, { applied: inForce("work"), offered }),
    )
    .queue(2)
    .deliver(1)
    .endTurn(1);
  const limits = () => viewOf(story.state).budget?.limits;
  story
    .when(change({ mode: "readonly", budget: { turns: 9 } }))
    .thenEvents("session.change.requested");
  story.report(refused(1)).thenEvents("session.change.refused");
  assert.deepEqual(limits(), { turns: 1 });
  assert.equal(story.name, "WAITING_FOR_INPUT");

  story.given(change({ mode: "read-only", budget: { turns: 9 } }));
  story.report(applied(2, "read-only"));
  assert.deepEqual(limits(), { turns: 9 });
  assert.equal(story.name, "RUNNING", "what waited for the budget begins");

  story.given(change({ mode: "work", budget: null }));
  story.die([], { kind: "killed", signal: "SIGKILL" });
  assert.equal(limits(), undefined);
});

test("[SES-150] an agent that ends before it answered leaves prompts to the new budget", () => {
  const story = new Story({ budget: { turns: 1 } }).up().queue(1).queue(2);
  story.deliver(1).endTurn(1);
  story.given(change({ mode: "work", budget: { turns: 2 } })).die();
  assert.equal(story.name, "STARTING");
  const lowered = new Story()
    .up()
    .given(change({ mode: "work", budget: { turns: 1 } }));
  lowered
    .queue(1)
    .deliver(1)
    .given({ type: "session.pause", reason: "paused" });
  lowered.die();
  assert.equal(viewOf(lowered.state).budget?.reached, "turns");
});

test("[SES-85] what is told a second time changes nothing", () => {
  const story = running().given(change({ mode: "read-only" }));
  story.report(applied(1, "read-only"));
  story.report(applied(1, "work"), refused(1), refused(9));
  story.thenEvents();
});

test("[SES-84] changes go one after the other, before the prompt that waits", () => {
  const story = running()
    .given(change({ mode: "read-only" }), change({ mode: "work" }))
    .queue(1);
  const kinds = () => intend(story.state).map(({ kind }) => kind);
  assert.deepEqual(
    kinds().filter((kind) => kind !== "checkpoint"),
    ["change", "deliver"],
  );
  story.report(applied(1, "read-only"));
  assert.equal(changeIntents(story).length, 1);
  story.report(applied(2, "work"));
  assert.equal(viewOf(story.state).definition.mode, "work");
  assert.deepEqual(changeIntents(story), []);
});

test("[SES-84] one that is being started is told when it is ready", () => {
  const story = new Story()
    .ask(1)
    .begin()
    .given(change({ mode: "read-only" }));
  assert.equal(story.state.agent.definition.mode, undefined);
  assert.deepEqual(changeIntents(story), []);
  story.report(readyItem({ from: 0, to: 4 }, { offered }));
  assert.equal(changeIntents(story).length, 1);
});

test("[SES-86] an agent that dies before it answered leaves the change to the next start", () => {
  const story = running().given(change({ mode: "read-only" }));
  story.die([], { kind: "killed", signal: "SIGKILL" });
  assert.equal(viewOf(story.state).definition.mode, "read-only");
  assert.equal(viewOf(story.state).applied, null);
  assert.deepEqual(story.state.agent.changes.pending, []);
});

test("[SES-86] what is asked for while it stops comes behind what it was still to be told", () => {
  const story = running().given(
    change({ mode: "read-only" }),
    { type: "session.pause", reason: "paused" },
    change({ mode: "work" }),
  );
  story.die([], { kind: "stopped" });
  assert.equal(viewOf(story.state).definition.mode, "work");
});

test("[SES-87] an older agentctl: the change is kept, what runs on without it is named, and a notice says so", () => {
  const story = running().given(change({ mode: "read-only" }));
  story
    .when({ type: "change.keep", change: 1 })
    .thenEvents("session.definition.changed", {
      type: "session.notice",
      data: { code: "change_at_next_start" },
    });
  const view = viewOf(story.state);
  assert.deepEqual(view.at_next_start, ["mode"]);
  assert.equal(view.definition.mode, "read-only");
  assert.equal(view.applied?.mode?.value, "work");
  story.when({ type: "change.keep", change: 1 }).thenEvents();
  story.die([], { kind: "stopped" });
  assert.deepEqual(viewOf(story.state).at_next_start, []);
});

test("[SES-88] updates of the agent are followed in what is offered and in force", () => {
  const story = running().report({
    kind: "unknown",
    range: { from: 4, to: 8 },
    update: {
      sessionUpdate: "current_mode_update",
      currentModeId: "read-only",
    },
  });
  const view = viewOf(story.state);
  assert.equal(view.offered?.modes?.current, "read-only");
  assert.equal(view.applied?.mode?.value, "read-only");
  story.report({
    kind: "unknown",
    range: { from: 8, to: 12 },
    update: {
      sessionUpdate: "config_option_update",
      configOptions: [
        { id: "llm", category: "model", currentValue: "large", options: [] },
      ],
    },
  });
  assert.equal(viewOf(story.state).applied?.model?.value, "large");
});

test("[SES-88] lists leave a long offer out, and say so", () => {
  const available = Array.from({ length: 200 }, (_, n) => choice(`mode-${n}`));
  const long = { ...offered, modes: { current: "mode-1", available } };
  const story = new Story()
    .ask(1)
    .begin()
    .report(readyItem({ from: 0, to: 4 }, { offered: long }));
  const listed = listedViewOf(story.state);
  assert.equal(listed.offered, null);
  assert.deepEqual(listed.shortened, ["offered"]);
  assert.deepEqual(listedViewOf(running().state).offered, offered);
});

test("[SES-89] an option that is the choice of models is the model", () => {
  const story = running().given(change({ options: { llm: "large", x: "y" } }));
  assert.partialDeepStrictEqual(story.last("session.change.requested"), {
    model: "large",
    options: { x: "y" },
  });
  story.report(applied(1, "work"));
  const { model, options } = viewOf(story.state).definition;
  assert.deepEqual([model, options], ["large", { x: "y" }]);
});

test("[SES-89] options keep their values beside others, and mean nothing to another agent", () => {
  const story = new Story({
    definition: { ...creation().definition, options: { x: "y" } },
  });
  story.given(change({ options: { z: "1" } }));
  const { definition } = story.state.agent;
  assert.deepEqual(definition.options, { x: "y", z: "1" });
  const lost = lostByHandoff(definition, {});
  assert.deepEqual([lost?.what, lost?.reason], ["option", "of_another_agent"]);
  assert.equal(lostByHandoff(definition, { without: ["options"] }), null);
});
