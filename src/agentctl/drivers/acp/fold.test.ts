import assert from "node:assert/strict";
import { test } from "node:test";
import { newPrompt } from "../../fixtures/ids.ts";
import type { Open } from "../driver.ts";
import {
  HELLO,
  LOADS,
  methods,
  opened,
  play,
  setupOf,
  update,
} from "./fixtures/played-agent.ts";

test("a new session: initialize, session/new, ready over all bytes so far", () => {
  const agent = play(setupOf({ kind: "new" }));
  assert.deepEqual(methods(agent.all), ["initialize"]);
  assert.deepEqual(methods(agent.say(HELLO)), ["session/new"]);
  const ready = opened(agent.say({ id: "i1.new", result: { sessionId: "s" } }));
  assert.equal(ready?.native_session_id, "s");
  assert.deepEqual(ready?.abilities, {
    resume: true,
    load: true,
    close: true,
    injection: true,
    images: true,
    files: false,
    system_prompt: false,
  });
  assert.deepEqual(
    agent.told.map(({ kind }) => kind),
    ["ready"],
  );
});

test("[LNK-43] a mode is set before the session counts as open", () => {
  const agent = play(setupOf({ kind: "new" }, "plan"));
  agent.say(HELLO);
  const effects = agent.say({ id: "i1.new", result: { sessionId: "s" } });
  assert.deepEqual(methods(effects), ["session/set_mode"]);
  const taken = agent.say({ id: "i1.mode", result: {} });
  assert.deepEqual(
    taken.map(({ kind }) => kind),
    ["opened"],
  );
});

test("[LNK-51] a session that the server decided not to ask for is not asked for, and ready says why", () => {
  const failed = { reason: "transcript_damaged", message: "gone" } as const;
  const agent = play(setupOf({ kind: "new", failed }));
  assert.deepEqual(methods(agent.say(HELLO)), ["session/new"]);
  const ready = opened(agent.say({ id: "i1.new", result: { sessionId: "s" } }));
  assert.deepEqual([ready?.opened, ready?.failed], ["new", failed]);
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

test("[SES-19] load: what was cut off need not be in the replay, and is said to be forgotten", () => {
  const load = (turns: number, ...replay: object[]) => {
    const transcript = "intact" as const;
    const agent = play(
      setupOf({ kind: "native", token: "t", turns, cut: 1, transcript }),
    );
    agent.say(LOADS);
    for (const message of replay) agent.say(message);
    const effects = agent.say({ id: "i1.load", result: null });
    if (methods(effects).length === 0) return opened(effects)?.forgotten;
    return "not verified";
  };
  assert.equal(load(2, user(), user()), 0);
  assert.equal(load(2, user()), 1);
  assert.equal(load(3, user()), "not verified");
  // Nothing at all is not what anybody remembers.
  assert.equal(load(2), "not verified");
  assert.equal(load(1), "not verified");
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

test("[LNK-19] words of another session of the agent are kept, and are not this session's", () => {
  const agent = openAgent();
  const words = update({
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: "hello" },
  });
  agent.say({ ...words, params: { ...words.params, sessionId: "other" } });
  agent.say(words);
  assert.deepEqual(
    agent.told.map(({ kind }) => kind),
    ["unknown", "text"],
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
  assert.deepEqual(effects, [{ kind: "turn_ended", prompt_id, token: null }]);
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
