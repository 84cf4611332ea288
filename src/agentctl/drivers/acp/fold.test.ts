import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReportItem } from "../../../contract/report.ts";
import { newPrompt } from "../../fixtures/ids.ts";
import type { Effect, Open, Setup, Want } from "../driver.ts";
import { acp } from "./driver.ts";

const setupOf = (open: Open, mode?: string): Setup => ({
  incarnation: "i1",
  epoch: 3,
  cwd: "/w",
  definition: {
    agent: "a",
    home: "user",
    env_names: [],
    ...(mode === undefined ? {} : { mode }),
  },
  open,
  agent: {
    native: true,
    injection: true,
    isUnknownSession: ({ code }) => code === -32002,
  },
});

/** Plays an agent's lines to the fold; `say` takes what follows `jsonrpc` in a message. */
const play = (setup: Setup) => {
  let { state, effects } = acp.begin(setup);
  let offset = 0;
  const told: ReportItem[] = [];
  const all: Effect[] = [...effects];
  let ready: Extract<Effect, { kind: "opened" }>["ready"] | null = null;
  const take = (step: { state: typeof state; effects: Effect[] }): Effect[] => {
    ({ state, effects } = step);
    all.push(...effects);
    for (const effect of effects)
      if (effect.kind === "opened") ready = effect.ready;
    return effects;
  };
  const sayRaw = (text: string): Effect[] => {
    const bytes = Buffer.from(text);
    const range = { from: offset, to: offset + bytes.length + 1 };
    offset = range.to;
    const said = acp.read({ bytes, ...range, cut: false });
    const done = take(acp.hear(setup, state, said, range));
    const item = acp.tell(said, range, { epoch: setup.epoch, ready });
    if (item !== null) told.push(item);
    return done;
  };
  return {
    told,
    all,
    sayRaw,
    say: (message: object) =>
      sayRaw(JSON.stringify({ jsonrpc: "2.0", ...message })),
    want: (want: Want) => take(acp.want(setup, state, want)),
  };
};

const HELLO = {
  id: "i1.initialize",
  result: {
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      sessionCapabilities: { resume: {}, close: {} },
      promptCapabilities: { image: true },
    },
    agentInfo: { name: "a", version: "1.2" },
  },
};
const LOADS = {
  id: "i1.initialize",
  result: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
};

const methods = (effects: readonly Effect[]): unknown[] =>
  effects.flatMap((it) =>
    it.kind === "send" ? [it.message.body["method"] ?? it.message.body] : [],
  );

const opened = (effects: readonly Effect[]) =>
  effects.find((it) => it.kind === "opened")?.ready;

const update = (update: object) => ({
  method: "session/update",
  params: { sessionId: "s", update },
});

test("a new session: initialize, session/new, ready over all bytes so far", () => {
  const agent = play(setupOf({ kind: "new" }));
  assert.deepEqual(methods(agent.all), ["initialize"]);
  assert.deepEqual(methods(agent.say(HELLO)), ["session/new"]);
  const ready = opened(agent.say({ id: "i1.new", result: { sessionId: "s" } }));
  assert.equal(ready?.native_session_id, "s");
  assert.deepEqual(ready?.abilities, {
    resume: true,
    load: true,
    fork: false,
    close: true,
    injection: true,
    images: true,
  });
  assert.deepEqual(
    agent.told.map(({ kind }) => kind),
    ["ready"],
  );
});

test("a mode is set before the session counts as open; a refusal is told and does no harm", () => {
  const agent = play(setupOf({ kind: "new" }, "plan"));
  agent.say(HELLO);
  const effects = agent.say({ id: "i1.new", result: { sessionId: "s" } });
  assert.deepEqual(methods(effects), ["session/set_mode"]);
  const refused = agent.say({
    id: "i1.mode",
    error: { code: -32602, message: "no" },
  });
  assert.deepEqual(
    refused.map(({ kind }) => kind),
    ["opened", "notice"],
  );
});

test("[P6] resume is preferred where the agent's own file verifies it", () => {
  const native = { kind: "native", token: "t", turns: 1 } as const;
  const agent = play(setupOf({ ...native, transcript: "intact" }));
  assert.deepEqual(methods(agent.say(HELLO)), ["session/resume"]);
  const ready = opened(agent.say({ id: "i1.resume", result: {} }));
  assert.equal(ready?.native_session_id, "t");
  assert.equal(ready?.verified, true);
});

const user = (messageId?: string) =>
  update({
    sessionUpdate: "user_message_chunk",
    messageId,
    content: { type: "text", text: "hi" },
  });

test("[P6] load: the replay is dropped and counted; with too few prompts a new session is opened instead", () => {
  const load = (
    hello: object,
    transcript: "intact" | "unrecorded",
    ...replay: object[]
  ) => {
    const agent = play(
      setupOf({ kind: "native", token: "t", turns: 2, transcript }),
    );
    assert.deepEqual(methods(agent.say(hello)), ["session/load"]);
    for (const message of replay) agent.say(message);
    const effects = agent.say({ id: "i1.load", result: null });
    if (methods(effects).length === 0) return opened(effects);
    assert.deepEqual(methods(effects), ["session/new"]);
    return opened(agent.say({ id: "i1.new", result: { sessionId: "other" } }));
  };
  const said = update({ sessionUpdate: "agent_message_chunk" });
  assert.equal(load(LOADS, "intact", user(), said, user())?.verified, true);
  // Nothing was recorded of the agent's own file: only a replay can verify it.
  assert.equal(load(HELLO, "unrecorded", user(), user())?.opened, "loaded");
  for (const replay of [[user("m1"), user("m1")], [user()], []]) {
    const ready = load(LOADS, "intact", ...replay);
    assert.deepEqual(
      [ready?.opened, ready?.verified, ready?.failed?.reason],
      ["new", false, "not_verified"],
    );
  }
});

test("[LNK-28] a native session that cannot be had gives way to a new one, and says why", () => {
  const native = { kind: "native", token: "t", turns: 1 } as const;
  const reasonOf = (open: Open, error?: { code: number; message: string }) => {
    const agent = play(setupOf(open));
    let effects = agent.say(HELLO);
    if (error) effects = agent.say({ id: "i1.resume", error });
    assert.deepEqual(methods(effects), ["session/new"]);
    const ready = opened(
      agent.say({ id: "i1.new", result: { sessionId: "s" } }),
    );
    assert.deepEqual([ready?.opened, ready?.verified], ["new", false]);
    return ready?.failed?.reason;
  };
  const known = { ...native, transcript: "intact" } as const;
  assert.equal(
    reasonOf(known, { code: -32002, message: "" }),
    "unknown_session",
  );
  assert.equal(
    reasonOf(known, { code: -32603, message: "boom" }),
    "agent_error",
  );
  assert.equal(
    reasonOf({ ...native, transcript: "missing" }),
    "transcript_damaged",
  );
  assert.equal(
    reasonOf({ ...native, transcript: "damaged" }),
    "transcript_damaged",
  );
});

const openAgent = () => {
  const agent = play(setupOf({ kind: "new" }));
  agent.say(HELLO);
  agent.say({ id: "i1.new", result: { sessionId: "s" } });
  agent.told.length = 0;
  return agent;
};

test("prompts wanted before the session is open are sent when it is", () => {
  const agent = play(setupOf({ kind: "new" }));
  agent.want({
    kind: "prompt",
    prompt_id: newPrompt(),
    content: [{ type: "text", text: "x" }],
  });
  agent.say(HELLO);
  const effects = agent.say({ id: "i1.new", result: { sessionId: "s" } });
  assert.deepEqual(methods(effects), ["session/prompt"]);
});

test("[LNK-19] [LNK-23] what is not understood is kept; what is not offered is refused", () => {
  const agent = openAgent();
  agent.sayRaw("not json");
  agent.sayRaw('{"level":"info"}');
  agent.say(update({ sessionUpdate: "something_new", x: 1 }));
  agent.say({ method: "_vendor/thing", params: {} });
  const effects = agent.say({ id: 7, method: "fs/read_text_file", params: {} });
  const [refusal] = methods(effects);
  assert.deepEqual(refusal, {
    jsonrpc: "2.0",
    id: 7,
    error: { code: -32601, message: "Method not found: fs/read_text_file" },
  });
  assert.deepEqual(
    agent.told.map(({ kind }) => kind),
    ["garbage", "garbage", "unknown", "unknown"],
  );
});

test("an error as the answer to a prompt ends the turn with it", () => {
  const agent = openAgent();
  const prompt_id = newPrompt();
  agent.want({ kind: "prompt", prompt_id, content: [] });
  const effects = agent.say({
    id: `i1.prompt.${prompt_id}`,
    error: { code: -1, message: "thread not found" },
  });
  assert.deepEqual(effects, [{ kind: "turn_ended", prompt_id }]);
  const [end] = agent.told;
  assert.ok(
    end?.kind === "turn_ended" && end.error?.includes("thread not found"),
  );
});

test("a tool call shows its input, text and changes", () => {
  const agent = openAgent();
  agent.say(
    update({
      sessionUpdate: "tool_call_update",
      toolCallId: "t1",
      status: "completed",
      title: null,
      content: [
        { type: "content", content: { type: "text", text: "one" } },
        { type: "diff", path: "a", newText: "b" },
        { type: "terminal", terminalId: "x" },
      ],
      rawInput: { command: "ls" },
    }),
  );
  const [item] = agent.told;
  assert.deepEqual(item?.kind === "tool" ? item.tool : null, {
    id: "t1",
    status: "completed",
    output: "one",
    diffs: [{ path: "a", old_text: null, new_text: "b" }],
    input: { command: "ls" },
  });
});

const openedAgent = () => {
  const agent = play(setupOf({ kind: "new" }));
  agent.say(HELLO);
  agent.say({ id: "i1.new", result: { sessionId: "s" } });
  return agent;
};

const asking = (...optionIds: string[]) => ({
  id: 7,
  method: "session/request_permission",
  params: {
    sessionId: "s",
    toolCall: { toolCallId: "t" },
    options: optionIds.map((optionId) => ({
      optionId,
      name: "n",
      kind: "allow_once",
    })),
  },
});

const permissionOf = (told: readonly ReportItem[]) => {
  const item = told.findLast((each) => each.kind === "permission_requested");
  assert.ok(item !== undefined);
  return item;
};

test("[P5] an answer that comes twice does not withdraw a question of a later turn", () => {
  const agent = openedAgent();
  const [first, second] = [newPrompt(), newPrompt()];
  agent.want({ kind: "prompt", prompt_id: first, content: [] });
  const answer = {
    id: `i1.prompt.${first}`,
    result: { stopReason: "end_turn" },
  };
  agent.say(answer);
  agent.want({ kind: "prompt", prompt_id: second, content: [] });
  agent.say(asking("yes"));
  agent.say(answer);
  const { permission_id } = permissionOf(agent.told);
  const sent = agent.want({ kind: "answer", permission_id, option_id: "yes" });
  assert.equal(sent.length, 1);
});

test("[P5] options that nobody could send back get plain names, and the agent gets its own", () => {
  const agent = openedAgent();
  agent.want({ kind: "prompt", prompt_id: newPrompt(), content: [] });
  const odd = ["", "\u0000", "x".repeat(300), "fine"];
  agent.say(asking(...odd));
  const { permission_id, options } = permissionOf(agent.told);
  assert.deepEqual(
    options.map(({ id }) => id),
    ["option-1", "option-2", "option-3", "fine"],
  );
  const [effect] = agent.want({
    kind: "answer",
    permission_id,
    option_id: "option-3",
  });
  assert.ok(effect?.kind === "send");
  assert.ok(JSON.stringify(effect.message.body).includes("x".repeat(300)));
  agent.say(asking(...Array.from({ length: 10_000 }, (_, i) => `o${i}`)));
  assert.equal(permissionOf(agent.told).options.length, 100);
});

test("what nests deeper than anything sensible is kept as text", () => {
  const agent = openedAgent();
  const deep = `{"1":1,"x":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
  agent.sayRaw(
    `{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"tool_call","toolCallId":"t","rawInput":${deep}}}}`,
  );
  assert.equal(agent.told.at(-1)?.kind, "garbage");
});
