import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentDefinition } from "../../../contract/agent/agent.ts";
import { PromptId } from "../../../contract/base/id.ts";
import type { Effect, Setup } from "../driver.ts";
import {
  HELLO,
  methods,
  opened,
  play,
  setupOf,
} from "./fixtures/played-agent.ts";

type AgentPart = Partial<Setup["agent"]>;

const PROMPT = PromptId.parse(`prm_${"0".repeat(26)}`);

/** An agent that was given a prompt before its session is open, and what it offers. */
const begin = (
  definition: Partial<AgentDefinition>,
  agent: AgentPart = {},
  offer: object = offers,
) => {
  const plain = setupOf({ kind: "new" });
  const played = play({
    ...plain,
    definition: { ...plain.definition, ...definition },
    agent: { ...plain.agent, ...agent },
  });
  played.want({
    kind: "prompt",
    prompt_id: PROMPT,
    content: [{ type: "text", text: "write" }],
  });
  played.say(HELLO);
  played.say({ id: "i1.new", result: { sessionId: "s", ...offer } });
  return played;
};

/** As Codex has it. */
const offers = {
  modes: {
    currentModeId: "agent",
    availableModes: [{ id: "read-only" }, { id: "agent" }, { id: "yolo" }],
  },
  configOptions: [
    {
      id: "model",
      category: "model",
      currentValue: "small",
      options: [{ value: "small" }, { value: "large" }],
    },
  ],
};

const stoppedBy = (effects: readonly Effect[]) => {
  assert.equal(opened(effects), undefined);
  assert.ok(!methods(effects).includes("session/prompt"), "nothing is sent");
  const failed = effects.find((it) => it.kind === "failed");
  assert.equal(failed?.failure, "restriction_not_held");
  return failed.restriction;
};

const appliedIn = (effects: readonly Effect[]) => {
  assert.ok(methods(effects).includes("session/prompt"));
  return opened(effects)?.applied;
};

const asks = (answer: "all" | "some" | "none"): AgentPart => ({
  asks: () => answer,
});

test("[LNK-56] a mode that the agent does not list stops it, with the modes that it has, and it is not even asked for", () => {
  const { all } = begin({ mode: "readonly" });
  assert.deepEqual(stoppedBy(all), {
    what: "mode",
    asked: "readonly",
    reason: "not_offered",
    valid: ["read-only", "agent", "yolo"],
    message: null,
  });
  assert.ok(!methods(all).includes("session/set_mode"));
});

test("[LNK-56] a mode that the agent refuses stops it, with the agent's words", () => {
  const agent = begin({ mode: "plan" }, {}, {});
  agent.say({ id: "i1.mode", error: { code: -32601, message: "no modes" } });
  const restriction = stoppedBy(agent.all);
  assert.equal(restriction?.reason, "refused");
  assert.match(restriction.message ?? "", /no modes/);
});

test("[LNK-56] a mode that the agent says yes to and does not take stops it", () => {
  const option = {
    id: "m",
    category: "mode",
    currentValue: "work",
    options: [{ value: "work" }, { value: "plan" }],
  };
  const agent = begin({ mode: "plan" }, {}, { configOptions: [option] });
  agent.say({ id: "i1.mode", result: { configOptions: [option] } });
  assert.equal(stoppedBy(agent.all)?.reason, "not_confirmed");
});

test("[LNK-56] settings for an agent that takes none stop it", () => {
  const { all } = begin({ settings: { sandbox: true } });
  const restriction = stoppedBy(all);
  assert.deepEqual(
    [restriction?.what, restriction?.asked, restriction?.reason],
    ["settings", "sandbox", "not_supported"],
  );
});

test("[LNK-57] a refused model stops the agent with the models that it has, unless it may fall back on its own", () => {
  const error = { code: -32602, message: "no such model" };
  const strict = begin({ model: "huge" });
  strict.say({ id: "i1.model", error });
  assert.deepEqual(stoppedBy(strict.all)?.valid, ["small", "large"]);

  const lenient = begin({ model: "huge", model_fallback: true });
  lenient.say({ id: "i1.model", error });
  assert.equal(appliedIn(lenient.all)?.model?.value, "small");
  const codes = lenient.all.flatMap((it) =>
    it.kind === "notice" ? [it.code] : [],
  );
  assert.deepEqual(codes, ["model_refused"]);
});

test("[LNK-57] a model for an agent that offers no choice stops it, unless it may fall back on its own", () => {
  assert.equal(
    stoppedBy(begin({ model: "huge" }, {}, {}).all)?.reason,
    "not_supported",
  );
  const { all } = begin({ model: "huge", model_fallback: true }, {}, {});
  assert.equal(appliedIn(all)?.model, null);
});

const LIMITS: [Partial<AgentDefinition>, string][] = [
  [{ disallowed_tools: ["Bash"] }, "not Bash"],
  [{ allowed_tools: ["Read"] }, "only Read"],
];

for (const [limits, name] of LIMITS)
  test(`[LNK-58] limits of tools that nobody holds stop the agent, unless words are enough: ${name}`, () => {
    const restriction = stoppedBy(begin(limits).all);
    assert.deepEqual(
      [restriction?.what, restriction?.asked, restriction?.reason],
      ["tools", name, "not_asked"],
    );
    const told = begin({ ...limits, advisory_tools: true });
    assert.deepEqual(appliedIn(told.all)?.tools, { held: "words" });
    const answered = begin(limits, asks("all"));
    assert.deepEqual(appliedIn(answered.all)?.tools, { held: "answers" });
    const kept = begin(limits, { keepsLimits: true });
    assert.deepEqual(appliedIn(kept.all)?.tools, { held: "agent" });
  });

test("[LNK-58] which uses of a tool are allowed is held by our answers, and by nobody where nothing is asked", () => {
  const limits = { allowed_tools: ["Bash(git *)"] };
  const kept = begin(limits, { keepsLimits: true });
  assert.deepEqual(appliedIn(kept.all)?.tools, { held: "answers" });
  const { all } = begin(limits, { keepsLimits: true, ...asks("none") });
  assert.equal(stoppedBy(all)?.what, "tools");
});

test("[LNK-58] a permission policy stops an agent that asks nothing in the mode it is in", () => {
  const agent: AgentPart = {
    asks: (mode) => (mode === "yolo" ? "none" : "some"),
  };
  const permissions = { default: "ask" as const, rules: [] };
  const loose = begin({ mode: "yolo", permissions }, agent);
  loose.say({ id: "i1.mode", result: {} });
  assert.deepEqual(
    [stoppedBy(loose.all)?.what, stoppedBy(loose.all)?.reason],
    ["permissions", "not_asked"],
  );
  const tight = begin({ mode: "agent", permissions }, agent);
  tight.say({ id: "i1.mode", result: {} });
  assert.ok(appliedIn(tight.all));
  const open = begin(
    { mode: "yolo", permissions: { default: "allow-all", rules: [] } },
    agent,
  );
  open.say({ id: "i1.mode", result: {} });
  assert.ok(appliedIn(open.all));
});

test("[LNK-58] what is in force is what the agent confirmed", () => {
  const agent = begin(
    { mode: "read-only", model: "big", settings: { a: 1 } },
    { settings: true },
  );
  agent.say({
    id: "i1.model",
    result: {
      configOptions: [
        { id: "model", category: "model", currentValue: "large", options: [] },
      ],
    },
  });
  agent.say({ id: "i1.mode", result: {} });
  assert.deepEqual(appliedIn(agent.all), {
    mode: { value: "read-only", held: "agent" },
    model: { value: "large", held: "agent" },
    settings: { held: "agent" },
    tools: null,
  });
  assert.deepEqual(appliedIn(begin({}).all)?.mode, {
    value: "agent",
    held: "agent",
  });
});

test("[LNK-59] the mode that a person's own configuration stands for is set where the session asks for none", () => {
  const ownMode = { asked: 'sandbox_mode = "x"', modes: ["ro", "read-only"] };
  const agent = begin({}, { ownMode });
  agent.say({ id: "i1.mode", result: {} });
  assert.equal(appliedIn(agent.all)?.mode?.value, "read-only");
  const asked = begin({ mode: "agent" }, { ownMode });
  asked.say({ id: "i1.mode", result: {} });
  assert.equal(appliedIn(asked.all)?.mode?.value, "agent");
});

test("[LNK-59] where no mode stands for it, the agent is stopped", () => {
  const ownMode = { asked: 'approval_policy = "untrusted"', modes: [] };
  const restriction = stoppedBy(begin({}, { ownMode }).all);
  assert.deepEqual(
    [restriction?.what, restriction?.reason, restriction?.asked],
    ["configuration", "not_supported", ownMode.asked],
  );
});
