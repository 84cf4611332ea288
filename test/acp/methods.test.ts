/** Every method of ACP, with the demo agent behind the door. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { say } from "../e2e/house.ts";
import { sharedHouse } from "../e2e/shared-house.ts";
import { Editor } from "./editor.ts";

const test = sharedHouse({
  agents: { nobody: { command: ["/nowhere/agent"] } },
});

test("[ACP-1] [ACP-2] the handshake says what can be done, and how to log in", async ({
  house,
}) => {
  await using editor = await Editor.open(house);
  const hello = (terminal: boolean) =>
    editor.agent.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: { auth: { terminal } },
    });
  const { agentCapabilities, authMethods, protocolVersion } =
    await hello(false);
  assert.equal(protocolVersion, 1);
  assert.deepEqual(agentCapabilities, {
    loadSession: true,
    promptCapabilities: { image: true, embeddedContext: true },
    mcpCapabilities: { http: true },
    sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
  });
  assert.deepEqual(
    authMethods?.map((method) => [method.id, "type" in method]),
    [["login", false]],
  );
  const [method] = (await hello(true)).authMethods ?? [];
  assert.ok(method !== undefined && "type" in method);
  assert.deepEqual([method.type, method.args], ["terminal", ["--login"]]);
  await editor.agent.request("authenticate", { methodId: "login" });
});

test("[ACP-2] --login runs the login of the agent", async ({ house }) => {
  const { code, out } = await house.cli(["acp", "--agent", "demo", "--login"]);
  assert.deepEqual([code, out], [0, "demo needs no login.\n"]);
});

test("[ACP-5] [ACP-6] [ACP-15] [ACP-20] [ACP-21] a new session takes a prompt and tells what the agent does", async ({
  house,
  client,
  workspace,
}) => {
  await using editor = await Editor.open(house, {
    capabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: true,
    },
  });
  const answer = await editor.agent.request("session/new", {
    cwd: workspace,
    mcpServers: [
      { name: "m", command: "/bin/true", args: ["-x"], env: [] },
      { type: "http", name: "h", url: "http://127.0.0.1:1/", headers: [] },
    ],
  });
  assert.deepEqual(answer.modes, {
    currentModeId: "work",
    availableModes: [
      { id: "work", name: "Work" },
      { id: "read-only", name: "Read only" },
    ],
  });
  const { definition, cwd } = await client.showSession(answer.sessionId);
  assert.equal(cwd, workspace);
  assert.deepEqual(
    definition.mcp_servers?.map(({ name, command, url }) => [
      name,
      command ?? url,
    ]),
    [
      ["m", "/bin/true"],
      ["h", "http://127.0.0.1:1/"],
    ],
  );
  assert.deepEqual(
    await editor.prompt(answer.sessionId, "count 3 0\nwrite a.txt hello"),
    { stopReason: "end_turn" },
  );
  assert.equal(editor.said(), "1\n2\n3\nI wrote a.txt.\n");
  assert.equal(editor.heard(), "", "it shows its own prompt already");
  const calls = editor.updates.flatMap(({ update }) =>
    update.sessionUpdate === "tool_call" ||
    update.sessionUpdate === "tool_call_update"
      ? [[update.title, update.status, update.content]]
      : [],
  );
  const diff = {
    type: "diff",
    path: join(workspace, "a.txt"),
    oldText: null,
    newText: "hello",
  };
  assert.deepEqual(calls, [
    ["Write a.txt", "pending", undefined],
    [undefined, "completed", [diff]],
  ]);
  assert.equal(await readFile(join(workspace, "a.txt"), "utf8"), "hello");
  assert.deepEqual(editor.others, []);
});

test("[ACP-6] [ACP-24] an agent that cannot be started fails the request, and leaves nothing behind", async ({
  house,
  client,
  workspace,
}) => {
  await using editor = await Editor.open(house, { agent: "nobody" });
  await assert.rejects(editor.start(workspace), {
    code: -32603,
    message: /\/nowhere\/agent/,
  });
  assert.deepEqual(
    (await client.listSessions({ cwd: workspace })).sessions,
    [],
  );
  await using stranger = await Editor.open(house, { agent: "unheard-of" });
  await assert.rejects(stranger.start(workspace), { code: -32602 });
});

test("[ACP-8] [ACP-7] [ACP-19] load replays the conversation and asks what is pending, for an agent that cannot load", async ({
  house,
  workspace,
}) => {
  await using first = await Editor.open(house, { agent: "demo-fresh" });
  const id = await first.start(workspace);
  await first.prompt(id, "count 3 0");
  const asked = first.prompt(id, "write a.txt x\nask May I?").catch(() => null);
  await first.question();
  await first.kill();
  await asked;

  await using second = await Editor.open(house, { agent: "demo-fresh" });
  await second.load(id, workspace);
  assert.equal(second.heard(), "count 3 0write a.txt x\nask May I?");
  assert.equal(second.said(), "1\n2\n3\nI wrote a.txt.\n");
  const pieces = second.updates.map(({ update }) => update.sessionUpdate);
  assert.deepEqual(pieces, [
    "user_message_chunk",
    "agent_message_chunk",
    "user_message_chunk",
    "tool_call",
    "tool_call_update",
    "agent_message_chunk",
  ]);
  const question = await second.question();
  assert.equal(question.params.toolCall.title, "May I?");
  question.choose("allow_once");
  await second.until(() => second.said().endsWith("You chose allow_once.\n"));
  assert.deepEqual(await second.prompt(id, "hello"), {
    stopReason: "end_turn",
  });
});

test("[ACP-9] [ACP-10] resume tells what this client missed, once, and another client nothing", async ({
  house,
  client,
  workspace,
}) => {
  const latch = house.latch();
  await using first = await Editor.open(house);
  const id = await first.start(workspace);
  const prompt = first
    .prompt(id, `count 3 0\nrun ${latch.wait}\ncount 5 0`)
    .catch(() => null);
  await first.until(() =>
    first.updates.some(({ update }) => update.sessionUpdate === "tool_call"),
  );
  await first.kill();
  await prompt;
  latch.open();
  await eventually(
    () => client.showSession(id),
    ({ turn_count }) => turn_count === 1,
  );

  await using second = await Editor.open(house);
  const resumed = (editor: Editor) =>
    editor.agent.request("session/resume", {
      sessionId: id,
      cwd: workspace,
      mcpServers: [],
    });
  const answer = await resumed(second);
  assert.equal(answer.modes?.currentModeId, "work");
  await second.until(() => second.said().endsWith("5\n"));
  assert.equal(
    first.said() + second.said(),
    "1\n2\n3\nThe command ended with exit code 0.\n1\n2\n3\n4\n5\n",
  );
  assert.equal(second.heard(), "", "its own prompt");
  const known = second.said();
  await second.prompt(id, "recall x");
  assert.equal(second.said(), `${known}x is unknown\n`);

  await using other = await Editor.open(house, { name: "another" });
  await resumed(other);
  await other.prompt(id, "recall y");
  assert.equal(other.said(), "y is unknown\n");
});

test("[ACP-15] [ACP-20] a session that was not opened here is prompted, and prompts of others are told", async ({
  house,
  client,
  workspace,
}) => {
  const { id } = await client.createSession({ cwd: workspace });
  await say(client, id, "remember a=b");
  await using editor = await Editor.open(house);
  assert.deepEqual(await editor.prompt(id, "recall a"), {
    stopReason: "end_turn",
  });
  assert.equal(editor.said(), "a=b\n");
  await say(client, id, "recall c");
  await editor.until(() => editor.said().endsWith("c is unknown\n"));
  assert.equal(editor.heard(), "recall c");
});

test("[ACP-11] the list holds the sessions of this agent and directory, by name or first prompt", async ({
  house,
  client,
  workspace,
}) => {
  await using editor = await Editor.open(house);
  const id = await editor.start(workspace);
  await editor.prompt(id, `say\n\n  ${"long ".repeat(50)}`);
  const named = await client.createSession({ cwd: workspace, name: "mine" });
  const other = await client.createSession({
    cwd: workspace,
    agent: "demo-inject",
  });
  await client.createSession({ cwd: house.workspace });
  const { sessions, nextCursor } = await editor.agent.request("session/list", {
    cwd: workspace,
  });
  assert.equal(nextCursor, undefined);
  const titles = new Map(sessions.map((each) => [each.sessionId, each.title]));
  assert.deepEqual([...titles.keys()].toSorted(), [id, named.id].toSorted());
  assert.equal(titles.get(named.id), "mine");
  assert.match(titles.get(id) ?? "", /^say (long )+l?o?n?g?…$/);
  assert.ok(titles.get(id)?.length === 100);
  assert.ok(!titles.has(other.id));
  const everywhere = await editor.agent.request("session/list", {});
  assert.ok(everywhere.sessions.length > sessions.length);
});
