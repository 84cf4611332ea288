import assert from "node:assert/strict";
import { test } from "node:test";
import { codex } from "./codex.ts";
import type { Interpreted } from "../dialect/dialect.ts";

const interpret = (...lines: object[]): Interpreted[] => {
  const listener = codex.listen("run-1");
  return lines.flatMap((line) => listener(line));
};

const completed = (item: object) => ({ type: "item.completed", item });

const words = (sessionUpdate: string, text: string) => ({
  kind: "update",
  update: { sessionUpdate, content: { type: "text", text } },
});

test("a thread is named, speaks, thinks and ends with what the session has cost so far", () => {
  assert.deepEqual(
    interpret(
      { type: "thread.started", thread_id: "th-1" },
      { type: "turn.started" },
      completed({ id: "item_0", type: "reasoning", text: "**hm**" }),
      completed({ id: "item_1", type: "agent_message", text: "One." }),
      completed({ id: "item_2", type: "agent_message", text: "Two." }),
      {
        type: "turn.completed",
        usage: {
          input_tokens: 22,
          cached_input_tokens: 4,
          output_tokens: 10,
          reasoning_output_tokens: 3,
        },
      },
    ),
    [
      { kind: "session", id: "th-1" },
      words("agent_thought_chunk", "**hm**"),
      words("agent_message_chunk", "One."),
      words("agent_message_chunk", "\n\nTwo."),
      {
        kind: "finished",
        stopReason: "end_turn",
        usage: {
          of: "session",
          usage: {
            inputTokens: 22,
            outputTokens: 10,
            totalTokens: 32,
            cachedReadTokens: 4,
            thoughtTokens: 3,
          },
        },
      },
    ],
  );
});

test("tool calls of two runs do not share an id, though Codex numbers them alike", () => {
  const item = {
    id: "item_1",
    type: "command_execution",
    command: "/bin/bash -lc 'echo hi'",
    aggregated_output: "",
    status: "in_progress",
  };
  const [begun, ended] = interpret(
    { type: "item.started", item },
    completed({ ...item, aggregated_output: "hi\n", status: "failed" }),
  );
  assert.deepEqual(begun, {
    kind: "update",
    update: {
      sessionUpdate: "tool_call",
      toolCallId: "run-1.item_1",
      title: "/bin/bash -lc 'echo hi'",
      kind: "execute",
      status: "in_progress",
      rawInput: { command: "/bin/bash -lc 'echo hi'" },
      content: [],
    },
  });
  assert.equal(ended?.kind, "update");
  assert.equal(ended.update.sessionUpdate, "tool_call_update");
  assert.equal("status" in ended.update && ended.update.status, "failed");
});

test("changed files, searches, MCP calls and plans are shown", () => {
  const shown = interpret(
    completed({
      id: "a",
      type: "file_change",
      changes: [{ path: "/w/x", kind: "add" }],
      status: "completed",
    }),
    completed({ id: "b", type: "web_search", query: "why" }),
    completed({
      id: "c",
      type: "mcp_tool_call",
      server: "files",
      tool: "read",
      arguments: { path: "/w" },
      error: { message: "no" },
      status: "failed",
    }),
    completed({
      id: "d",
      type: "todo_list",
      items: [{ text: "first", completed: true }],
    }),
  ).map((interpreted) =>
    interpreted.kind === "update" && "title" in interpreted.update
      ? interpreted.update.title
      : interpreted,
  );
  assert.deepEqual(shown, [
    "Edit /w/x",
    "Search why",
    "files.read",
    {
      kind: "update",
      update: {
        sessionUpdate: "plan",
        entries: [
          { content: "first", status: "completed", priority: "medium" },
        ],
      },
    },
  ]);
});

test("a turn that fails says why; an error on the way is kept for when it ends badly", () => {
  assert.deepEqual(
    interpret(
      { type: "error", message: "Reconnecting... 1/5" },
      { type: "turn.failed", error: { message: "stream closed" } },
    ),
    [
      { kind: "complaint", message: "Reconnecting... 1/5" },
      {
        kind: "unknown",
        line: { type: "error", message: "Reconnecting... 1/5" },
      },
      { kind: "failed", failure: { kind: "error", message: "stream closed" } },
    ],
  );
});

test("unknown lines and items are kept", () => {
  const odd = { id: "e", type: "error", message: "metadata not found" };
  assert.deepEqual(interpret({ type: "moon.rose" }, completed(odd)), [
    { kind: "unknown", line: { type: "moon.rose" } },
    { kind: "unknown", line: odd },
  ]);
});
