import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../contract/event/event.ts";
import type { Tool } from "../contract/agent/tool.ts";
import { permissionId } from "../contract/base/id.ts";
import { askItem, prompt, Story } from "../session/testing.ts";
import { babble, think, turn, useTool } from "./fixtures/tell.ts";
import { RecordFold } from "./record-fold.ts";

test("a turn is told in the log: the prompt as sent, words when they are complete, tool calls and results, the end", () => {
  const story = new Story().up();
  const before = story.events.length;
  turn(story, 1);
  const { log } = write(story.events.slice(before));
  assert.deepEqual(headings(log), [
    "STATE",
    "FINAL USER PROMPT (with dynamic restrictions)",
    "DYNAMIC TOOL RESTRICTIONS APPLIED",
    "AGENT MESSAGE",
    "TOOL CALL",
    "TOOL RESULT",
    "AGENT MESSAGE",
    "TURN COMPLETED",
    "STATE",
  ]);
  assert.match(log, /^\[2026-01-01T00:00:\d\d\.000Z\] STATE:\nWAITING/);
  assert.match(log, /restrictions\):\nprompt 1\n\n\[/);
  assert.match(log, /AGENT MESSAGE:\nbefore 1 the tool\n/);
  assert.match(log, /TOOL CALL:\nRun 1\n\{"command":"make"\}\n/);
  assert.match(log, /TOOL RESULT:\nRun 1: completed\nmade 1\n/);
  assert.match(log, /Status: completed \(end_turn\)\nFiles: \/records\/x\n/);
});

test("the history has one line for each of its four kinds", () => {
  const { history } = write(turn(new Story().up(), 1).events);
  assert.deepEqual(
    lines(history).map(({ type, text, turn }) => [type, text, turn]),
    [
      ["user_message", "prompt 1", 1],
      ["agent_message", "before 1 the tool", 1],
      ["tool_call", "Run 1", 1],
      ["tool_result", "made 1", 1],
      ["agent_message", "after 1", 1],
    ],
  );
});

test("[SES-51] the log tells what the agent is held to, without secrets, and where the files lie at the end", () => {
  const story = new Story({
    definition: {
      agent: "demo",
      home: "user",
      env_names: [],
      allowed_tools: ["Read", "Edit"],
      disallowed_tools: ["Bash"],
      model: "large",
      instructions: "Answer in Latin.",
      permissions: {
        default: "allow-read",
        rules: [{ tool: "Edit", answer: "deny" }],
      },
      mcp_servers: [
        {
          name: "notes",
          url: "https://notes.example/?key=${REPRISE_MCP_1}",
          headers: { Authorization: "${REPRISE_MCP_2}" },
        },
      ],
    },
  }).up();
  story.given({
    type: "session.end",
    outcome: "completed",
    reason: "requested",
  });
  const { log } = write(story.events);
  assert.match(
    log,
    /SESSION CREATED:\nAgent: demo\nDirectory: \/work\nMode: the agent's own\nModel: large\nSettings: none\nAllowed Tools: 2 \(Read, Edit\)\nDisallowed Tools: 1 \(Bash\)\nPermission Policy: allow-read; deny Edit\nMCP Servers: 1\n- notes: https:\/\/notes\.example\/\?key=‹hidden› \(Authorization: hidden\)\nInstructions:\nAnswer in Latin\.\n/,
  );
  assert.ok(!log.includes("REPRISE_MCP"), log);
  assert.match(
    log,
    /SESSION COMPLETED:\nStatus: completed \(requested\)\nFiles:\n\/records\/x\/conversation.json\n\/records\/x\/history.jsonl\n\/records\/x\/session.log\n/,
  );
});

test("thoughts, permissions, notices, ends of agents and cancelled prompts are told", () => {
  const story = new Story().up().queue(1).queue(2).deliver(1);
  think(story, "hm");
  story.report(askItem(permissionId(1, 10), story.words(2)));
  story.given({
    type: "permission.answer",
    permission_id: permissionId(1, 10),
    option_id: "yes",
  });
  story.report(askItem(permissionId(1, 20), story.words(2)));
  babble(story, "no JSON");
  story.given({ type: "prompt.cancel", prompt_id: prompt(2) });
  story.given({ type: "turn.cancel" });
  story.die();
  const { log } = write(story.events);
  for (const entry of [
    "AGENT STARTED:\nExecution 1\n",
    "AGENT THOUGHT:\nhm\n",
    "PERMISSION REQUESTED:\nper_1_10 May I?\n",
    "PERMISSION ANSWERED:\nper_1_10 yes\nAnswered By: person\n",
    "PERMISSION CLOSED:\nper_1_20 ",
    "NOTICE:\nno JSON\n",
    `PROMPT CANCELLED:\n${prompt(2)}\n`,
    "CANCEL REQUESTED:\nTurn 1\n",
    "TURN INTERRUPTED:\nTurn 1: The agent was killed by SIGKILL.\n",
    "AGENT ENDED:\nExecution 1: the agent was killed by SIGKILL\n",
    "STATE:\nRUNNING -> WAITING_FOR_INPUT (interrupted)\n",
  ])
    assert.ok(log.includes(entry), `${entry}\nis not in\n${log}`);
});

test("[SES-20] a prompt is logged once, as it was sent: with the history when that was injected", () => {
  const story = turn(new Story().up(), 1).die();
  story.queue(2, "go on").begin().ready({ opened: "new" });
  assert.equal(story.last("session.resumed").resume.grade, "injected");
  const inject = {
    type: "history.inject",
    prompt_id: prompt(2),
    text: "HISTORY",
    left_out: 0,
  } as const;
  story.given(inject).given(inject).deliver(2).endTurn(2);
  const { log } = write(story.events);
  assert.deepEqual(prompts(log), ["prompt 1", "HISTORY"]);
  assert.match(log, /SESSION RESUMED:\nGrade: injected\n/);
});

const limited = {
  definition: {
    agent: "demo",
    home: "user" as const,
    env_names: [],
    allowed_tools: ["Read", "Edit"],
    disallowed_tools: ["Bash"],
  },
};

test("[SES-50] a prompt is logged with what was put before it, and the log says that the restrictions were among it", () => {
  const story = new Story(limited).up().queue(1);
  const prepare = {
    type: "delivery.prepare",
    prompt_id: prompt(1),
    text: "Use only these tools. prompt 1",
    instructions: false,
    restrictions: true,
  } as const;
  story.given(prepare).given(prepare).deliver(1).endTurn(1);
  story.queue(2).deliver(2).endTurn(2);
  const { log } = write(story.events);
  const applied = "Allowed Tools: 2\nDisallowed Tools: 1\nRestriction Prompt";
  assert.deepEqual(prompts(log), [
    "Use only these tools. prompt 1",
    "prompt 2",
  ]);
  assert.match(
    log,
    new RegExp(
      `^\\[[^\\]]+\\] FINAL USER PROMPT \\(with dynamic restrictions\\):\nUse only these tools\\. prompt 1\n\n\\[[^\\]]+\\] DYNAMIC TOOL RESTRICTIONS APPLIED:\n${applied} Injected: true\n\n`,
      "m",
    ),
  );
  assert.equal(log.split(`${applied} Injected: true`).length, 2, log);
  assert.equal(log.split(`${applied} Injected: false`).length, 2, log);
  assert.equal(
    story.types().filter((type) => type === "session.prompt.prepared").length,
    1,
  );
});

test("[SES-51] before a prompt is delivered the log tells what is asked of the agent, and claims nothing as applied", () => {
  const story = new Story(limited).queue(1, "prompt 1");
  const { log } = write(story.events);
  assert.match(log, /SESSION CREATED:\n(.+\n)*Allowed Tools: \d+ \(/);
  assert.doesNotMatch(log, /APPLIED|Injected|FINAL USER PROMPT/);
});

test("[SES-51] what was added to the system prompt and what is in force is logged when the agent is ready", () => {
  const story = new Story(limited).begin();
  story.ready({
    system_prompt: { text: "Use only these tools.", restrictions: true },
    applied: {
      mode: { value: "plan", held: "agent" },
      model: null,
      settings: null,
      tools: { held: "answers" },
    },
  });
  story.queue(1).deliver(1).endTurn(1);
  const { log } = write(story.events);
  for (const entry of [
    "AGENT READY:\nProgram: demo 1\nSession: new\nMode: plan (held by agent)\nModel: the agent's own\nSettings: none\nTool Restrictions: held by answers\n",
    "SYSTEM PROMPT (appended):\nUse only these tools.\n",
    "Restriction Prompt Injected: true\n",
  ])
    assert.ok(log.includes(entry), `${entry}\nis not in\n${log}`);
});

test("[SES-51] an answer of the policy is told from that of a person", () => {
  const { definition } = limited;
  const story = new Story({
    definition: {
      ...definition,
      permissions: { default: "allow-all", rules: [] },
    },
  }).up();
  story.queue(1).deliver(1);
  story.report(
    askItem(permissionId(1, 10), story.words(2), { tool_name: "Bash" }),
  );
  const { log } = write(story.events);
  assert.match(log, /PERMISSION ANSWERED:\nper_1_10 no\nAnswered By: policy\n/);
});

test("[SES-8] a prompt that was not taken is logged when it is sent at last, without the history of the first time", () => {
  const story = turn(new Story().up(), 1).die();
  story.queue(2, "go on").begin().ready();
  story.given({
    type: "history.inject",
    prompt_id: prompt(2),
    text: "HISTORY",
    left_out: 0,
  });
  story.die([prompt(2)]);
  story.begin().ready({ opened: "loaded", verified: true });
  story.deliver(2).endTurn(2);
  const { log } = write(story.events);
  assert.deepEqual(prompts(log), ["prompt 1", "go on"]);
  assert.match(log, /PROMPT NOT TAKEN:\n/);
});

test("[P7] a prompt of which nobody knows whether it was sent is not logged as sent", () => {
  const story = new Story().up().queue(1, "hello");
  story.given({ type: "execution.lose", epoch: 1 });
  const { log } = write(story.events);
  assert.deepEqual(prompts(log), []);
  assert.match(log, /PROMPT UNCERTAIN:\n/);
  assert.match(log, /PROMPT THAT MAY HAVE BEEN SENT:\nhello\n/);
});

test("a tool call has one result, whatever the agent adds to it later", () => {
  const story = new Story().up().queue(1).deliver(1);
  useTool(story, { id: "t", title: "Run", status: "completed", output: "1" });
  useTool(story, { id: "t", status: "failed", output: "2" });
  useTool(story, { id: "open", title: "Wait", status: "in_progress" });
  story.die();
  const { history } = write(story.events);
  const results = lines(history).filter(({ type }) => type === "tool_result");
  assert.deepEqual(
    results.map(({ tool, status }) => [tool, status]),
    [
      ["t", "completed"],
      ["open", "interrupted"],
    ],
  );
});

test("[API-125] the result of a call is told by its newest title, with a command that was not known when it began", () => {
  const story = new Story().up().queue(1).deliver(1);
  const tell = (tool: Tool) =>
    story.report({ kind: "tool", range: story.words(5), tool });
  tell({ id: "t1", title: "Terminal", status: "pending", input: {} });
  tell({ id: "t1", title: "Terminal", input: { command: "git status" } });
  tell({ id: "t1", status: "completed", output: "clean" });
  tell({ id: "t2", title: "Terminal", input: { command: "make" } });
  tell({ id: "t2", title: "make all", status: "failed" });
  const { log } = write(story.events);
  assert.match(log, /TOOL RESULT:\nTerminal: git status: completed\nclean\n/);
  assert.match(log, /TOOL RESULT:\nmake all: failed\n/);
});

const write = (events: readonly Event[]) => {
  const fold = new RecordFold("/records/x", null);
  const pages = events.map((event) => fold.write(event));
  return {
    log: pages.map(({ log }) => log).join(""),
    history: pages.map(({ history }) => history).join(""),
  };
};

const headings = (log: string): string[] =>
  [...log.matchAll(/^\[[^\]]+\] (.*):$/gm)].map(([, heading = ""]) => heading);

const prompts = (log: string): string[] =>
  [...log.matchAll(/FINAL USER PROMPT[^\n]*\n(.*)\n\n/g)].map(
    ([, text = ""]) => text,
  );

const lines = (history: string): Record<string, unknown>[] =>
  history
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
