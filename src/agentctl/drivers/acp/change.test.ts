import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentDefinition } from "../../../contract/agent/agent.ts";
import type { AgentSettings } from "../../../contract/agent/agent-settings.ts";
import { withSettings } from "../../../contract/agent/agent-settings.ts";
import type { Effect, Setup } from "../driver.ts";
import {
  HELLO,
  methods,
  opened,
  play,
  setupOf,
} from "./fixtures/played-agent.ts";

const effort = (currentValue: string) => ({
  id: "effort",
  category: "thought_level",
  currentValue,
  options: [{ value: "low" }, { value: "high" }],
});
const model = (currentValue: string) => ({
  id: "model",
  category: "model",
  currentValue,
  options: [{ value: "small" }, { value: "large" }],
});
const offer = {
  modes: {
    currentModeId: "ask",
    availableModes: [{ id: "ask" }, { id: "plan" }, { id: "yolo" }],
  },
  configOptions: [model("small"), effort("low")],
};

/** An agent with an open session, and orders to change it. In `yolo` it asks for nothing. */
const openAgent = (definition: Partial<AgentDefinition> = {}) => {
  const plain = setupOf({ kind: "new" });
  const setup: Setup = {
    ...plain,
    definition: { ...plain.definition, ...definition },
    agent: {
      ...plain.agent,
      asks: (mode) => (mode === "yolo" ? "none" : "some"),
    },
  };
  const agent = play(setup);
  agent.say(HELLO);
  agent.say({ id: "i1.new", result: { sessionId: "s", ...offer } });
  const ready = opened(agent.all);
  assert.ok(ready?.offered !== undefined);
  const { offered } = ready;
  const change = (number: number, asked: AgentSettings): Effect[] =>
    agent.want({
      kind: "change",
      change: number,
      asked,
      definition: withSettings(setup.definition, asked),
      offered,
    });
  return { ...agent, change, offered };
};

const sent = (effects: readonly Effect[]): unknown[] =>
  effects.flatMap((it) =>
    it.kind === "send" ? [it.message.body["params"]] : [],
  );

const refusalIn = (effects: readonly Effect[]) =>
  effects.find((it) => it.kind === "change_refused")?.restriction;

const changedIn = (effects: readonly Effect[]) =>
  effects.find((it) => it.kind === "changed");

test("[LNK-103] ready says what the agent offers, in our words", () => {
  const { offered } = openAgent();
  assert.deepEqual(offered.modes, {
    current: "ask",
    available: ["ask", "plan", "yolo"].map((id) => ({
      id,
      name: id,
      description: null,
    })),
  });
  assert.deepEqual(
    offered.options.map(({ id, category, current }) => [id, category, current]),
    [
      ["model", "model", "small"],
      ["effort", "thought_level", "low"],
    ],
  );
});

test("[LNK-99] a mode is set at once in an open session, and what is in force is told when the agent confirmed it", () => {
  const agent = openAgent();
  const asked = agent.change(1, { mode: "plan" });
  assert.deepEqual(methods(asked), ["session/set_mode"]);
  assert.deepEqual(sent(asked), [{ sessionId: "s", modeId: "plan" }]);
  const done = changedIn(agent.say({ id: "i1.change.1.mode", result: {} }));
  assert.equal(done?.change, 1);
  assert.deepEqual(done.applied.mode, { value: "plan", held: "agent" });
  assert.equal(done.offered.modes?.current, "plan");
});

test("[LNK-99] model, mode and options are set one after the other", () => {
  const agent = openAgent();
  const asked = { model: "large", mode: "plan", options: { effort: "high" } };
  assert.deepEqual(methods(agent.change(7, asked)), [
    "session/set_config_option",
  ]);
  const second = agent.say({
    id: "i1.change.7.model",
    result: { configOptions: [model("large"), effort("low")] },
  });
  assert.deepEqual(methods(second), ["session/set_mode"]);
  const third = agent.say({ id: "i1.change.7.mode", result: {} });
  assert.deepEqual(sent(third), [
    { sessionId: "s", configId: "effort", value: "high" },
  ]);
  const done = changedIn(
    agent.say({
      id: "i1.change.7.option.0",
      result: { configOptions: [model("large"), effort("high")] },
    }),
  );
  assert.deepEqual(
    [done?.applied.model?.value, done?.applied.mode?.value],
    ["large", "plan"],
  );
  assert.deepEqual(
    done?.offered.options.map(({ current }) => current),
    ["large", "high"],
  );
});

const notHeld: Record<string, AgentSettings> = {
  "a mode that is not offered": { mode: "readonly" },
  "an option that is not offered": { options: { depth: "9" } },
  "a value that an option does not have": { options: { effort: "most" } },
};

for (const [what, asked] of Object.entries(notHeld))
  test(`[LNK-100] ${what} is refused, and nothing is sent`, () => {
    const effects = openAgent().change(1, asked);
    assert.deepEqual(methods(effects), []);
    assert.equal(refusalIn(effects)?.reason, "not_offered");
    assert.notDeepEqual(refusalIn(effects)?.valid, []);
  });

test("[LNK-100] [P11] a mode that asks for nothing is refused where a permission policy must be held", () => {
  const policy = { permissions: { default: "ask" as const, rules: [] } };
  const effects = openAgent(policy).change(1, { mode: "yolo" });
  assert.deepEqual(methods(effects), []);
  assert.deepEqual(
    [refusalIn(effects)?.what, refusalIn(effects)?.reason],
    ["permissions", "not_asked"],
  );
  const free = openAgent().change(1, { mode: "yolo" });
  assert.deepEqual(methods(free), ["session/set_mode"]);
});

test("[LNK-100] limits of tools that the new mode does not hold refuse it, unless words are enough", () => {
  const limits = { disallowed_tools: ["Bash"], advisory_tools: true };
  const plain = setupOf({ kind: "new" });
  const agent = openAgent(limits);
  const effects = agent.want({
    kind: "change",
    change: 1,
    asked: { mode: "plan" },
    definition: { ...plain.definition, disallowed_tools: ["Bash"] },
    offered: agent.offered,
  });
  assert.equal(refusalIn(effects)?.what, "tools");
  assert.deepEqual(methods(agent.change(2, { mode: "plan" })), [
    "session/set_mode",
  ]);
});

test("[LNK-100] a model that the agent refuses is refused, with its words, also with model_fallback", () => {
  const agent = openAgent({ model_fallback: true });
  agent.change(1, { model: "huge" });
  const effects = agent.say({
    id: "i1.change.1.model",
    error: { code: -32602, message: "no such model" },
  });
  const restriction = refusalIn(effects);
  assert.deepEqual(
    [restriction?.what, restriction?.reason, restriction?.valid],
    ["model", "refused", ["small", "large"]],
  );
  assert.match(restriction?.message ?? "", /no such model/);
});

test("[LNK-101] when the second setting is refused, the first is set back before the refusal is told", () => {
  const agent = openAgent();
  agent.change(3, { model: "large", mode: "plan" });
  agent.say({
    id: "i1.change.3.model",
    result: { configOptions: [model("large"), effort("low")] },
  });
  const refused = agent.say({
    id: "i1.change.3.mode",
    error: { code: -32603, message: "not now" },
  });
  assert.equal(refusalIn(refused), undefined);
  assert.deepEqual(sent(refused), [
    { sessionId: "s", configId: "model", value: "small" },
  ]);
  const back = agent.say({ id: "i1.change.3.undo.model", result: {} });
  assert.equal(refusalIn(back)?.what, "mode");
  assert.ok(!back.some((it) => it.kind === "notice"));
});

test("[LNK-101] an agent that said yes and did something else is set back; one that refuses that is told of", () => {
  const agent = openAgent();
  agent.change(1, { options: { effort: "high" } });
  const wrong = agent.say({
    id: "i1.change.1.option.0",
    result: { configOptions: [model("small"), effort("low")] },
  });
  assert.deepEqual(sent(wrong), [
    { sessionId: "s", configId: "effort", value: "low" },
  ]);
  const after = agent.say({
    id: "i1.change.1.undo.option.0",
    error: { code: -32603, message: "no" },
  });
  assert.deepEqual(
    after.map((it) => it.kind),
    ["notice", "change_refused"],
  );
  assert.equal(refusalIn(after)?.reason, "not_confirmed");
});

test("[LNK-99] a change that is ordered twice is made once, and another waits until it is over", () => {
  const agent = openAgent();
  agent.change(1, { mode: "plan" });
  assert.deepEqual(agent.change(1, { mode: "plan" }), []);
  assert.deepEqual(agent.change(2, { mode: "ask" }), []);
  assert.deepEqual(agent.change(2, { mode: "ask" }), []);
  const effects = agent.say({ id: "i1.change.1.mode", result: {} });
  assert.equal(changedIn(effects)?.change, 1);
  assert.deepEqual(sent(effects), [{ sessionId: "s", modeId: "ask" }]);
});

test("[LNK-99] a yes or no is told as one", () => {
  const agent = openAgent();
  const offered = {
    modes: null,
    models: null,
    options: [
      {
        id: "web",
        name: "Web",
        description: null,
        category: null,
        type: "boolean" as const,
        current: "false",
        values: ["true", "false"].map((value) => ({
          value,
          name: value,
          description: null,
        })),
      },
    ],
  };
  const { definition } = setupOf({ kind: "new" });
  const effects = agent.want({
    kind: "change",
    change: 1,
    asked: { options: { web: "true" } },
    definition: { ...definition, options: { web: "true" } },
    offered,
  });
  assert.deepEqual(sent(effects), [
    { sessionId: "s", configId: "web", type: "boolean", value: true },
  ]);
});

test("[LNK-103] options of the definition are set at the start, behind the model that may bring them", () => {
  const plain = setupOf({ kind: "new" });
  const agent = play({
    ...plain,
    definition: {
      ...plain.definition,
      model: "large",
      options: { depth: "2" },
    },
  });
  agent.say(HELLO);
  agent.say({ id: "i1.new", result: { sessionId: "s", ...offer } });
  const depth = (currentValue: string) => ({
    id: "depth",
    currentValue,
    options: [{ value: "1" }, { value: "2" }],
  });
  const second = agent.say({
    id: "i1.model",
    result: { configOptions: [model("large"), depth("1")] },
  });
  assert.deepEqual(sent(second), [
    { sessionId: "s", configId: "depth", value: "2" },
  ]);
  agent.say({
    id: "i1.option.0",
    result: { configOptions: [model("large"), depth("2")] },
  });
  assert.equal(opened(agent.all)?.applied?.model?.value, "large");
});

test("[LNK-103] [P11] an option that the agent does not offer stops its start", () => {
  const plain = setupOf({ kind: "new" });
  const agent = play({
    ...plain,
    definition: { ...plain.definition, options: { depth: "2" } },
  });
  agent.say(HELLO);
  const effects = agent.say({
    id: "i1.new",
    result: { sessionId: "s", ...offer },
  });
  const failed = effects.find((it) => it.kind === "failed");
  assert.deepEqual(
    [failed?.restriction?.what, failed?.restriction?.valid],
    ["option", ["model", "effort"]],
  );
});
