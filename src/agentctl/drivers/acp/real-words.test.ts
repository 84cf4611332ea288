/** What the real agents say, cut to what matters; taken down from the versions that the registry pins. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { askedTool } from "./asked-tool.ts";
import { HELLO, play, setupOf, update } from "./fixtures/played-agent.ts";

const asked = (toolCall: object) => askedTool({ toolCall });

test("[SES-26] the tool that a permission is asked for, and what it is to do, by each agent's own words", () => {
  const claude = {
    toolCallId: "toolu_1",
    name: "Bash",
    rawInput: { command: "git status" },
    title: "git status",
    kind: "execute",
  };
  assert.deepEqual(asked(claude), { tool_name: "Bash", detail: "git status" });
  const { name: _, ...nameless } = claude;
  const meta = { claudeCode: { toolName: "Bash" } };
  assert.equal(asked({ ...nameless, _meta: meta }).tool_name, "Bash");

  const codex = {
    toolCallId: "call_1",
    title: "Edit files",
    kind: "edit",
    locations: [{ path: "/w/a.txt" }],
  };
  assert.deepEqual(asked(codex), { tool_name: null, detail: "/w/a.txt" });

  const opencode = {
    toolCallId: "call_1",
    title: "/w/a.txt",
    kind: "edit",
    rawInput: { filepath: "/w/a.txt", diff: "…" },
  };
  assert.equal(asked(opencode).detail, "/w/a.txt");

  const gemini = {
    toolCallId: "run_shell_command__run_shell_command_1794721270326_0",
    title: "echo hi",
    kind: "execute",
    locations: [],
  };
  assert.deepEqual(asked(gemini), {
    tool_name: "run_shell_command",
    detail: "echo hi",
  });

  const copilot = {
    toolCallId: "call_1",
    title: "Create file",
    kind: "edit",
    rawInput: { fileName: "/w/a.txt" },
  };
  assert.equal(asked(copilot).detail, "/w/a.txt");
});

test("[SES-59] a permission request carries its tool call: input, places and changes", () => {
  const agent = play(setupOf({ kind: "new" }));
  agent.say(HELLO);
  agent.say({ id: "i1.new", result: { sessionId: "s" } });
  agent.told.length = 0;
  agent.say({
    id: 7,
    method: "session/request_permission",
    params: {
      sessionId: "s",
      options: [{ optionId: "a", name: "Allow", kind: "allow_once" }],
      toolCall: {
        toolCallId: "toolu_1",
        title: "Edit a.txt",
        kind: "edit",
        rawInput: { file_path: "/w/a.txt" },
        locations: [{ path: "/w/a.txt" }],
        content: [
          { type: "diff", path: "/w/a.txt", oldText: "a", newText: "b" },
        ],
      },
    },
  });
  const [item] = agent.told;
  assert.deepEqual(item?.kind === "permission_requested" && item.tool, {
    id: "toolu_1",
    title: "Edit a.txt",
    kind: "edit",
    input: { file_path: "/w/a.txt" },
    locations: [{ path: "/w/a.txt" }],
    diffs: [{ path: "/w/a.txt", old_text: "a", new_text: "b" }],
  });
});

test("[SES-26] a detail has an end, and a request without sense has none", () => {
  const command = "x".repeat(20_000);
  const { detail } = asked({ toolCallId: "1", rawInput: { command } });
  assert.equal(detail?.length, 8000);
  const argv = { command: ["git", "log"] };
  assert.equal(asked({ toolCallId: "1", rawInput: argv }).detail, "git log");
  assert.deepEqual(askedTool(7), { tool_name: null, detail: null });
});

test("tool calls: diffs, places, what a terminal shows piece by piece, and results under other names", () => {
  const agent = play(setupOf({ kind: "new" }));
  agent.say(HELLO);
  agent.say({ id: "i1.new", result: { sessionId: "s" } });
  agent.told.length = 0;
  agent.say(
    update({
      sessionUpdate: "tool_call",
      toolCallId: "1",
      kind: "edit",
      title: "Editing files",
      content: [
        { type: "diff", path: "/w/a", oldText: null, newText: "hello\n" },
      ],
      locations: [{ path: "/w/a", line: 3 }],
    }),
  );
  agent.say(
    update({
      sessionUpdate: "tool_call_update",
      toolCallId: "2",
      status: "completed",
      _meta: { terminal_output_delta: { data: "hi\n", terminal_id: "2" } },
    }),
  );
  agent.say(
    update({
      sessionUpdate: "tool_call_update",
      toolCallId: "3",
      rawOutput: { output: "Wrote file.", metadata: {} },
    }),
  );
  const tools = agent.told.map((item) =>
    item.kind === "tool" ? item.tool : item,
  );
  assert.deepEqual(tools, [
    {
      id: "1",
      kind: "edit",
      title: "Editing files",
      diffs: [{ path: "/w/a", old_text: null, new_text: "hello\n" }],
      locations: [{ path: "/w/a", line: 3 }],
    },
    { id: "2", status: "completed", more_output: "hi\n" },
    { id: "3", output: "Wrote file." },
  ]);
});

test("[LNK-19] updates of a kind that we have no events for are kept as they are", () => {
  const agent = play(setupOf({ kind: "new" }));
  agent.say(HELLO);
  agent.say({ id: "i1.new", result: { sessionId: "s" } });
  const kinds = [
    "available_commands_update",
    "session_info_update",
    "config_option_update",
    "current_mode_update",
  ];
  for (const sessionUpdate of kinds) agent.say(update({ sessionUpdate }));
  assert.deepEqual(
    agent.told.slice(1).map((item) => item.kind),
    kinds.map(() => "unknown"),
  );
});
