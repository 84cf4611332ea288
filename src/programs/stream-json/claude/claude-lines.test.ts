import assert from "node:assert/strict";
import { test } from "node:test";
import { amp } from "../amp.ts";
import { claude } from "./claude.ts";
import type { Interpreted } from "../dialect/dialect.ts";

const interpret = (...lines: object[]): Interpreted[] => {
  const listener = claude.listen("run");
  return lines.flatMap((line) => listener(line));
};

const init = { type: "system", subtype: "init", session_id: "s-1", tools: [] };

const assistant = (content: object[], more: object = {}) => ({
  type: "assistant",
  message: { id: "msg_1", role: "assistant", content },
  parent_tool_use_id: null,
  ...more,
});

const event = (inner: object, parent: string | null = null) => ({
  type: "stream_event",
  event: inner,
  parent_tool_use_id: parent,
});

const words = (sessionUpdate: string, text: string) => ({
  kind: "update",
  update: { sessionUpdate, content: { type: "text", text } },
});

test("the init line names the session", () => {
  assert.deepEqual(interpret(init), [{ kind: "session", id: "s-1" }]);
});

test("words that came in pieces are not told again with the whole message", () => {
  const start = { type: "message_start", message: { id: "msg_1" } };
  const text = { type: "text_delta", text: "Hel" };
  const thought = { type: "thinking_delta", thinking: "hm" };
  const delta = (it: object) =>
    event({ type: "content_block_delta", delta: it });
  assert.deepEqual(
    interpret(
      event(start),
      delta(thought),
      delta(text),
      event({ type: "content_block_stop", index: 0 }),
      assistant([{ type: "text", text: "Hel" }], { uuid: "u-1" }),
    ),
    [
      words("agent_thought_chunk", "hm"),
      words("agent_message_chunk", "Hel"),
      { kind: "at", message: "u-1" },
    ],
  );
});

test("without pieces the whole message is told; what a helper of the agent streams is not", () => {
  const delta = { type: "text_delta", text: "helper" };
  assert.deepEqual(
    interpret(
      event({ type: "content_block_delta", delta }, "toolu_9"),
      assistant([
        { type: "thinking", thinking: "hm", signature: "x" },
        { type: "text", text: "Hello" },
      ]),
    ),
    [words("agent_thought_chunk", "hm"), words("agent_message_chunk", "Hello")],
  );
});

test("a tool call has a title, a kind, its place and its difference; its result ends it", () => {
  const input = { file_path: "/w/a", old_string: "a", new_string: "b" };
  const [call, result] = interpret(
    assistant([{ type: "tool_use", id: "t-1", name: "Edit", input }]),
    {
      type: "user",
      message: {
        content: [
          { type: "text", text: "[Request interrupted by user]" },
          {
            type: "tool_result",
            tool_use_id: "t-1",
            is_error: true,
            content: [
              { type: "text", text: "no such file" },
              { type: "image" },
            ],
          },
        ],
      },
    },
  );
  assert.deepEqual(call, {
    kind: "update",
    update: {
      sessionUpdate: "tool_call",
      toolCallId: "t-1",
      title: "Edit /w/a",
      name: "Edit",
      kind: "edit",
      status: "in_progress",
      rawInput: input,
      locations: [{ path: "/w/a" }],
      content: [{ type: "diff", path: "/w/a", oldText: "a", newText: "b" }],
    },
  });
  assert.deepEqual(result, {
    kind: "update",
    update: {
      sessionUpdate: "tool_call_update",
      toolCallId: "t-1",
      status: "failed",
      content: [
        { type: "content", content: { type: "text", text: "no such file" } },
        { type: "content", content: { type: "text", text: "[image]" } },
      ],
    },
  });
});

test("a list of things to do is a plan", () => {
  const todos = [
    { content: "first", status: "in_progress", activeForm: "doing" },
  ];
  const [, plan] = interpret(
    assistant([
      { type: "tool_use", id: "t", name: "TodoWrite", input: { todos } },
    ]),
  );
  assert.deepEqual(plan, {
    kind: "update",
    update: {
      sessionUpdate: "plan",
      entries: [
        { content: "first", status: "in_progress", priority: "medium" },
      ],
    },
  });
});

const result = (more: object) => ({
  type: "result",
  subtype: "success",
  is_error: false,
  stop_reason: "end_turn",
  usage: {
    input_tokens: 24,
    cache_creation_input_tokens: 3,
    cache_read_input_tokens: 2,
    output_tokens: 14,
  },
  ...more,
});

test("the result ends the turn, with what it cost", () => {
  assert.deepEqual(interpret(init, result({})).at(-1), {
    kind: "finished",
    stopReason: "end_turn",
    usage: {
      of: "turn",
      usage: {
        inputTokens: 29,
        outputTokens: 14,
        totalTokens: 43,
        cachedReadTokens: 2,
        cachedWriteTokens: 3,
      },
    },
  });
  const stop = (more: object) => {
    const last = interpret(init, result(more)).at(-1);
    return last?.kind === "finished" ? last.stopReason : last?.kind;
  };
  assert.equal(stop({ stop_reason: "max_tokens" }), "max_tokens");
  assert.equal(stop({ stop_reason: "refusal" }), "refusal");
  assert.equal(stop({ subtype: "error_max_turns" }), "max_turn_requests");
});

test("an error is classified by what the CLI calls it, never by its words", () => {
  const failed = (error: string | undefined, ...more: object[]) => {
    const said = assistant([{ type: "text", text: "API Error" }], { error });
    const over = result({ is_error: true, result: "API Error" });
    return interpret(init, ...more, said, over).at(-1);
  };
  assert.deepEqual(failed("authentication_failed"), {
    kind: "failed",
    failure: { kind: "not_logged_in", message: "API Error" },
  });
  assert.deepEqual(
    failed("rate_limit", {
      type: "rate_limit_event",
      rate_limit_info: { status: "rejected", resetsAt: 1_790_000_000 },
    }),
    {
      kind: "failed",
      failure: {
        kind: "rate_limit",
        message: "API Error",
        resetsAt: 1_790_000_000,
      },
    },
  );
  assert.deepEqual(failed("server_error"), {
    kind: "failed",
    failure: { kind: "error", message: "API Error" },
  });
});

test("[P6] an error before the session is named means that there is no such session", () => {
  assert.deepEqual(
    interpret(
      result({
        subtype: "error_during_execution",
        is_error: true,
        errors: ["No conversation found with session ID: s-1"],
      }),
    ),
    [
      {
        kind: "failed",
        failure: {
          kind: "unknown_session",
          message: "No conversation found with session ID: s-1",
        },
      },
    ],
  );
});

test("a permission offers to allow for good only where a rule can be written down", () => {
  const ask = (permission_suggestions: object[]) => {
    const [interpreted] = interpret({
      type: "control_request",
      request_id: "r-1",
      request: {
        subtype: "can_use_tool",
        tool_name: "Bash",
        tool_use_id: "t-1",
        input: { command: "touch made" },
        permission_suggestions,
      },
    });
    assert.equal(interpreted?.kind, "ask");
    return interpreted.ask;
  };
  const rule = {
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: "touch *" }],
    behavior: "allow",
    destination: "localSettings",
  };
  const mode = { type: "setMode", mode: "acceptEdits", destination: "session" };
  const lasting = ask([rule, mode]);
  assert.equal(lasting.toolCall.title, "touch made");
  assert.deepEqual(
    lasting.options.map(({ kind }) => kind),
    ["allow_once", "allow_always", "reject_once"],
  );
  assert.deepEqual(lasting.answers.get("allow_always"), {
    type: "control_response",
    response: {
      subtype: "success",
      request_id: "r-1",
      response: {
        behavior: "allow",
        updatedInput: { command: "touch made" },
        updatedPermissions: [rule],
      },
    },
  });
  assert.deepEqual(
    ask([mode]).options.map(({ kind }) => kind),
    ["allow_once", "reject_once"],
  );
});

test("what is asked and unknown is refused and kept; unknown lines and parts are kept; signs of life are not", () => {
  const hook = {
    type: "control_request",
    request_id: "r-2",
    request: { subtype: "hook_callback" },
  };
  assert.deepEqual(
    interpret(hook).map(({ kind }) => kind),
    ["unknown", "reply"],
  );
  const odd = { type: "telepathy", thought: 1 };
  const part = { type: "hologram", data: "x" };
  assert.deepEqual(
    interpret(odd, assistant([part]), {
      type: "system",
      subtype: "compact_boundary",
    }),
    [
      { kind: "unknown", line: odd },
      { kind: "unknown", line: part },
      {
        kind: "unknown",
        line: { type: "system", subtype: "compact_boundary" },
      },
    ],
  );
  assert.deepEqual(
    interpret(
      { type: "system", subtype: "status", status: "requesting" },
      { type: "keep_alive" },
    ),
    [],
  );
});

test("Amp's lines are read with the same eyes", () => {
  const listener = amp.listen("run");
  const session_id = "T-2775dc92-90ed-4f85-8b73-8f9766029e83";
  const interpreted = [
    { type: "system", subtype: "init", session_id, tools: ["oracle"] },
    {
      type: "user",
      message: { role: "user", content: [{ type: "text", text: "2+2?" }] },
      session_id,
    },
    {
      type: "assistant",
      message: { role: "assistant", content: [{ type: "text", text: "4." }] },
      session_id,
    },
    { type: "result", subtype: "success", is_error: false, result: "4." },
  ].flatMap((line) => listener(line));
  assert.deepEqual(interpreted, [
    { kind: "session", id: session_id },
    words("agent_message_chunk", "4."),
    { kind: "finished", stopReason: "end_turn", usage: null },
  ]);
  assert.ok(amp.isId(session_id));
});
