/** What goes the other way, and what comes of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import type { Offered } from "../../contract/agent/offered.ts";
import { PermissionId } from "../../contract/base/id.ts";
import { prompt } from "../../session/testing.ts";
import { choiceUpdates } from "./choice-updates.ts";
import { changeFor, choicesOf } from "./choices.ts";
import { contentOf } from "./content.ts";
import { failureOf } from "./failure.ts";
import { mcpServersOf } from "./mcp-servers.ts";
import { endOfTurn, interrupted, notStarted } from "./outcome.ts";
import { questionOf } from "./permission.ts";
import { nothingTold } from "./updates.ts";

test("[ACP-16] how a turn ended is a stop reason, or an error with words", () => {
  const turn = { turn: 1, prompt_id: prompt(1), error: null, usage: null };
  const stop = (
    outcome: "completed" | "cancelled" | "refused",
    stop_reason: string,
  ) => {
    const end = endOfTurn({ ...turn, outcome, stop_reason });
    return end.kind === "answer" ? end.response.stopReason : end.error;
  };
  assert.equal(stop("completed", "end_turn"), "end_turn");
  assert.equal(stop("completed", "max_tokens"), "max_tokens");
  assert.equal(stop("completed", "anything"), "end_turn");
  assert.equal(stop("cancelled", "cancelled"), "cancelled");
  assert.equal(stop("cancelled", "max_tool_calls"), "max_turn_requests");
  assert.equal(stop("completed", "budget"), "max_turn_requests");
  assert.equal(stop("refused", "refusal"), "refusal");
  const failed = (failure?: "not_logged_in") => {
    const end = endOfTurn({
      ...turn,
      outcome: "failed",
      stop_reason: "error",
      error: "Boom.",
      ...(failure !== undefined && { failure }),
    });
    assert.ok(end.kind === "error");
    return [end.error.code, end.error.message];
  };
  assert.deepEqual(failed(), [-32603, "Boom."]);
  assert.deepEqual(failed("not_logged_in"), [-32000, "Boom."]);
  const cut = interrupted({
    reason: "limit",
    limit: { resets_at: "2026-01-01T00:00:00.000Z" },
  });
  assert.ok(cut.kind === "error");
  assert.match(cut.error.message, /quota is used up until 2026-01-01/);
  const missing = { message: "Log in.", failure: "not_logged_in" };
  assert.equal(notStarted(missing).code, -32000);
});

test("[ACP-24] problems have the codes that editors act on", () => {
  const code = (problem: ConstructorParameters<typeof RepriseError>[0]) =>
    failureOf(new RepriseError(problem, "words"), "ses_1").code;
  assert.equal(code("session_not_found"), -32002);
  assert.equal(code("session_deleted"), -32002);
  assert.equal(code("cwd_not_found"), -32602);
  assert.equal(code("restriction_not_held"), -32602);
  assert.equal(code("session_ended"), -32603);
  assert.deepEqual(failureOf(new RepriseError("internal", "w"), "s").data, {
    sessionId: "s",
    code: "internal",
  });
  assert.match(failureOf(new Error("odd")).message, /went wrong.*odd/);
});

test("[ACP-15] [ACP-6] prompts and MCP servers of an editor are ours", () => {
  assert.deepEqual(
    contentOf([
      { type: "text", text: "t" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource_link", uri: "file:///a", name: "a" },
      {
        type: "resource",
        resource: { uri: "file:///b", text: "b", mimeType: "text/plain" },
      },
      {
        type: "resource",
        resource: { uri: "file:///c", blob: "AAAA", mimeType: "image/gif" },
      },
    ]),
    [
      { type: "text", text: "t" },
      { type: "image", mime_type: "image/png", data: "AAAA" },
      { type: "resource_link", uri: "file:///a", name: "a" },
      {
        type: "resource",
        uri: "file:///b",
        text: "b",
        mime_type: "text/plain",
      },
      { type: "image", mime_type: "image/gif", data: "AAAA" },
    ],
  );
  assert.deepEqual(
    mcpServersOf([
      {
        name: "s",
        command: "/c",
        args: ["-x"],
        env: [{ name: "A", value: "1" }],
      },
      {
        type: "http",
        name: "h",
        url: "http://h/",
        headers: [{ name: "X", value: "y" }],
      },
    ]),
    [
      { name: "s", command: "/c", args: ["-x"], env: { A: "1" } },
      { name: "h", url: "http://h/", headers: { X: "y" } },
    ],
  );
});

const offered: Offered = {
  modes: {
    current: "a",
    available: [
      { id: "a", name: "A", description: null },
      { id: "b", name: "B", description: "Bee" },
    ],
  },
  options: [
    {
      id: "web",
      name: "Web",
      description: null,
      category: null,
      type: "boolean",
      current: "true",
      values: [],
    },
  ],
  models: {
    current: "m1",
    available: [{ id: "m1", name: "M1", description: null }],
  },
};

test("[ACP-14] [ACP-6] choices are told as modes and options; who was told none gets them all as options", () => {
  const choices = choicesOf(offered);
  assert.equal(choices.modes?.currentModeId, "a");
  assert.deepEqual(
    choices.configOptions?.map(({ id, type, currentValue }) => [
      id,
      type,
      currentValue,
    ]),
    [
      ["web", "boolean", true],
      ["model", "select", "m1"],
    ],
  );
  assert.deepEqual(choicesOf(null), {});
  const late = choiceUpdates({}, offered);
  assert.deepEqual(
    late.updates.map((update) =>
      update.sessionUpdate === "config_option_update"
        ? update.configOptions.map(({ id }) => id)
        : update,
    ),
    [["web", "model", "mode"]],
  );
  assert.deepEqual(choiceUpdates(late.told, offered).updates, []);
  assert.deepEqual(choiceUpdates(choices, offered).updates, []);
  const other: Offered = {
    ...offered,
    modes: { current: "b", available: offered.modes?.available ?? [] },
  };
  assert.deepEqual(choiceUpdates(choices, other).updates, [
    { sessionUpdate: "current_mode_update", currentModeId: "b" },
  ]);
  assert.deepEqual(changeFor(offered, "mode", "b"), { mode: "b" });
  assert.deepEqual(changeFor(offered, "model", "m1"), { model: "m1" });
  assert.deepEqual(changeFor(offered, "web", false), {
    options: { web: "false" },
  });
});

test("[ACP-19] a question says what is asked, and an option of an unknown kind does not look like a yes", () => {
  const permission: Permission = {
    id: PermissionId.parse("per_1_2"),
    turn: 1,
    title: "Run rm?",
    tool_kind: "execute",
    tool: {
      id: "call",
      kind: "execute",
      title: "rm",
      command: "rm -r x",
      paths: ["/x"],
      diff: null,
      input: null,
    },
    options: [
      { id: "y", name: "Yes", kind: "allow_once" },
      { id: "z", name: "Odd", kind: "odd" },
    ],
    state: "pending",
  };
  const told = nothingTold();
  const question = questionOf("s", permission, told);
  assert.deepEqual(question.toolCall, {
    toolCallId: "call",
    title: "Run rm?",
    status: "pending",
    kind: "execute",
    content: [{ type: "content", content: { type: "text", text: "rm -r x" } }],
    locations: [{ path: "/x" }],
  });
  assert.deepEqual(
    question.options.map(({ kind }) => kind),
    ["allow_once", "reject_once"],
  );
  told.calls.set("msg_1", {
    toolCallId: "call#2",
    tool: { id: "call" },
    shown: 0,
  });
  assert.deepEqual(questionOf("s", permission, told).toolCall, {
    toolCallId: "call#2",
    title: "Run rm?",
    status: "pending",
  });
});
