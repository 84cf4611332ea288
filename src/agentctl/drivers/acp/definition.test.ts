import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentDefinition } from "../../../contract/agent/agent.ts";
import type { Effect, Open, Setup } from "../driver.ts";
import {
  HELLO,
  methods,
  opened,
  play,
  setupOf,
} from "./fixtures/played-agent.ts";

const resuming: Open = {
  kind: "native",
  token: "s",
  turns: 1,
  transcript: "intact",
};

const setup = (
  open: Open,
  definition: Partial<AgentDefinition>,
  more: Partial<Setup> = {},
  agent: Partial<Setup["agent"]> = {},
): Setup => {
  const plain = setupOf(open);
  return {
    ...plain,
    ...more,
    definition: { ...plain.definition, ...definition },
    agent: { ...plain.agent, ...agent },
  };
};

const sent = (effects: readonly Effect[]): unknown[] =>
  effects.flatMap((it) =>
    it.kind === "send" ? [it.message.body["params"]] : [],
  );

const notices = (effects: readonly Effect[]): string[] =>
  effects.flatMap((it) => (it.kind === "notice" ? [it.code] : []));

/** As Claude and Codex have it. */
const withOptions = {
  sessionId: "s",
  modes: { currentModeId: "default", availableModes: [{ id: "plan" }] },
  configOptions: [
    {
      id: "model",
      category: "model",
      type: "select",
      options: [{ value: "opus" }],
    },
  ],
};

/** As Gemini has it. */
const withLists = {
  sessionId: "s",
  models: { availableModels: [{ modelId: "pro" }], currentModelId: "pro" },
};

for (const [how, open] of [
  ["new", { kind: "new" }],
  ["resume", resuming],
] as const)
  test(`[LNK-43] model and mode are set before the session counts as open: ${how}`, () => {
    const agent = play(setup(open, { model: "opus", mode: "plan" }));
    agent.say(HELLO);
    const first = agent.say({ id: `i1.${how}`, result: withOptions });
    assert.deepEqual(sent(first), [
      { sessionId: "s", configId: "model", value: "opus" },
    ]);
    const second = agent.say({ id: "i1.model", result: {} });
    assert.deepEqual(sent(second), [{ sessionId: "s", modeId: "plan" }]);
    const last = agent.say({ id: "i1.mode", result: {} });
    assert.ok(opened(last));
    assert.deepEqual(notices(last), []);
  });

test("[LNK-43] an agent that lists its models is asked in the older way", () => {
  const agent = play(setup({ kind: "new" }, { model: "flash" }));
  agent.say(HELLO);
  const effects = agent.say({ id: "i1.new", result: withLists });
  assert.deepEqual(methods(effects), ["session/set_model"]);
});

test("[LNK-43] an agent without modes of that kind is asked for one as for an option", () => {
  const agent = play(setup({ kind: "new" }, { mode: "plan" }));
  agent.say(HELLO);
  const options = [
    { id: "m", category: "mode", options: [{ options: [{ value: "plan" }] }] },
  ];
  const result = { sessionId: "s", configOptions: options };
  assert.deepEqual(sent(agent.say({ id: "i1.new", result })), [
    { sessionId: "s", configId: "m", value: "plan" },
  ]);
});

const TAKES_SYSTEM_PROMPT = {
  ...HELLO,
  result: {
    ...HELLO.result,
    agentCapabilities: {
      ...HELLO.result.agentCapabilities,
      sessionCapabilities: { resume: {}, systemPrompt: {} },
    },
  },
};

test("[LNK-54] an agent that took the briefing into its system prompt is ready with its text, and with whether that tells the limits of its tools", () => {
  const limits = { disallowed_tools: ["Bash"] };
  const system_prompt = (
    definition: Partial<AgentDefinition>,
    keepsLimits = false,
    hello: object = TAKES_SYSTEM_PROMPT,
  ) => {
    const agent = play(
      setup(
        { kind: "new" },
        definition,
        { briefing: "Be brief." },
        {
          keepsLimits,
          asks: () => "all",
        },
      ),
    );
    agent.say(hello);
    return opened(agent.say({ id: "i1.new", result: { sessionId: "s" } }))
      ?.system_prompt;
  };
  const text = "Be brief.";
  assert.deepEqual(system_prompt(limits), { text, restrictions: true });
  assert.deepEqual(system_prompt(limits, true), { text, restrictions: false });
  assert.deepEqual(system_prompt({}), { text, restrictions: false });
  assert.equal(system_prompt(limits, false, HELLO), undefined);
});

test("[LNK-43] the briefing goes into the system prompt of an agent that has room for it, again on every resume, and so does what only it understands", () => {
  const meta = { claudeCode: { options: { tools: ["Read"] } } };
  for (const open of [{ kind: "new" } as const, resuming]) {
    const agent = play(setup(open, {}, { briefing: "Be brief." }, { meta }));
    const [params] = sent(agent.say(TAKES_SYSTEM_PROMPT));
    assert.deepEqual(params, {
      ...(open.kind === "new" ? {} : { sessionId: "s" }),
      cwd: "/w",
      mcpServers: [],
      systemPrompt: {
        mode: "append",
        content: [{ type: "text", text: "Be brief." }],
      },
      _meta: meta,
    });
  }
  const other = play(setup({ kind: "new" }, {}, { briefing: "Be brief." }));
  assert.deepEqual(sent(other.say(HELLO)), [{ cwd: "/w", mcpServers: [] }]);
});
