/** A quota holds a prompt, and its agent is stopped for idleness meanwhile: what each door says of it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Client } from "../../src/client/client.ts";
import { Reprise } from "../../src/client/sdk/reprise.ts";
import { eventually, until } from "../../src/kit/fixtures/patience.ts";
import { Editor } from "../acp/editor.ts";
import { connectMcp } from "../mcp/mcp-client.ts";
import { bin, seenUntil, type TestHouse } from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse({ idle_minutes: 0.03, on_quota: "wait" });

/** A session whose agent has used up its quota. */
const usedUp = async (client: Client, cwd: string): Promise<string> => {
  const { id } = await client.createSession({
    cwd,
    prompt: "quota 3600",
    checkpoints: false,
  });
  await seenUntil(
    client,
    id,
    ({ type }) => type === "session.turn.interrupted",
  );
  return id;
};

/** A prompt waits, and no agent is there. Says until when. */
const heldAtRest = async (client: Client, id: string): Promise<string> => {
  const { quota } = await eventually(
    () => client.showSession(id),
    ({ state, queued_prompts }) =>
      state === "PAUSED" && queued_prompts.length > 0,
  );
  assert.ok(quota.prompts_wait_until !== null);
  return quota.prompts_wait_until;
};

/** What a command that follows says while a prompt waits. The session must not go on before it is said. */
const WAITS =
  /demo's quota is used up; the prompt waits and begins by itself at .*\d\d:\d\d/;

/** A command that runs beside the test. */
const startCli = (house: TestHouse, ...args: string[]) => {
  const child = spawn(bin, args, {
    env: house.env(),
    cwd: house.workspace,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const over = once(child, "close").then(([code]) => ({ code, said }));
  return { said: () => said, over };
};

test("[SES-158] [SES-159] `--follow` says until when its prompt waits, and shows its turn", async ({
  house,
  client,
  workspace,
}) => {
  const id = await usedUp(client, workspace);
  const following = startCli(house, "session", "prompt", id, "--follow", "two");
  await heldAtRest(client, id);
  await until(() => WAITS.test(following.said()));
  await client.resumeSession(id, { now: true });
  const { said, code } = await following.over;
  assert.equal(code, 0, said);
  assert.doesNotMatch(said, /saving the workspace|── paused/);
  assert.match(said, /turn 2 completed/);
});

test("[MCP-43] [MCP-45] a tool says until when a prompt waits, and what tries it at once", async (scene) => {
  await using mcp = await connectMcp(scene, { era: "modern", door: "stdio" });
  const invoke = (args: Record<string, unknown>) =>
    mcp.call("invoke_agent", { agentName: "demo", ...args });
  const cut = await invoke({ prompt: "quota 3600", cwd: scene.workspace });
  assert.equal(cut.data["status"], "interrupted", cut.text);
  assert.match(cut.text, /quota of demo is used up until \d{4}-/);
  const sessionId = String(cut.data["sessionId"]);
  const sent = await invoke({
    prompt: "two",
    continueSessionId: sessionId,
    waitSeconds: 0,
  });
  const waitsUntil = await heldAtRest(scene.client, sessionId);
  const { promptId } = sent.data;
  const wait = (waitSeconds: number) =>
    mcp.call("wait_for_session", { sessionId, promptId, waitSeconds });
  for (const { data, text } of [sent, await wait(0)]) {
    assert.partialDeepStrictEqual(data, { status: "working", waitsUntil });
    assert.match(String(data["next"]), /^wait_for_session/);
    assert.match(text, /by itself at .*resume_session.*"now":true/s);
  }
  await mcp.call("resume_session", { sessionId, now: true });
  assert.equal((await wait(60)).data["status"], "completed");
});

test("[MCP-44] while a prompt waits in a paused session, no other one is asked for", async (scene) => {
  await using mcp = await connectMcp(scene, { era: "modern", door: "stdio" });
  const { client } = scene;
  const { id } = await client.createSession({ cwd: scene.workspace });
  await client.queuePrompt(id, { text: "sleep 600000" });
  const { id: promptId } = await client.queuePrompt(id, { text: "two" });
  await client.pauseSession(id);
  const { data } = await mcp.call("wait_for_session", {
    sessionId: id,
    promptId,
    waitSeconds: 60,
  });
  assert.equal(data["status"], "interrupted");
  assert.match(String(data["next"]), /^resume_session/);
});

test("[ACP-37] an editor waits for the turn of a prompt that a quota holds", async ({
  house,
  client,
  workspace,
}) => {
  await using editor = await Editor.open(house);
  const id = await editor.start(workspace);
  await assert.rejects(editor.prompt(id, "quota 3600"), {
    data: { code: "quota" },
  });
  const answer = editor.prompt(id, "two");
  await heldAtRest(client, id);
  await client.resumeSession(id, { now: true });
  assert.deepEqual(await answer, { stopReason: "end_turn" });
});

test("[SDK-24] a turn that a quota holds is at work, and says until when", async ({
  client,
  server,
  workspace,
}) => {
  const id = await usedUp(client, workspace);
  const turn = await new Reprise(server).session(id).prompt("two");
  const waits_until = await heldAtRest(client, id);
  assert.partialDeepStrictEqual(await turn.now(), {
    status: "working",
    error: null,
    waits_until,
  });
  const result = turn.result();
  await client.resumeSession(id, { now: true });
  assert.partialDeepStrictEqual(await result, {
    status: "completed",
    waits_until: null,
  });
});

test("[SDK-24] the messages of a turn end where nobody takes up its prompt", async ({
  client,
  server,
  workspace,
}) => {
  const session = await new Reprise(server).sessions.start({ cwd: workspace });
  await session.prompt("sleep 600000");
  const turn = await session.prompt("two");
  await client.pauseSession(session.id);
  assert.equal((await turn.result()).status, "interrupted");
  for await (const message of turn) assert.fail(message.text);
});

test("[TSK-70] following a task waits for a prompt that a quota holds, and shows its turn", async ({
  house,
  client,
  workspace,
}) => {
  const { id } = await client.createTask({
    title: "Held",
    description: "quota 3600",
    cwd: workspace,
    agent: "demo",
  });
  await client.runTask(id);
  await eventually(
    () => client.showTask(id),
    ({ state }) => state === "FAILED",
  );
  await client.retryTask(id, { mode: "continue" });
  const { session_id } = await client.showTask(id);
  assert.ok(session_id !== null);
  const following = startCli(house, "task", "follow", id);
  await heldAtRest(client, session_id);
  await until(() => WAITS.test(following.said()));
  await client.resumeSession(session_id, { now: true });
  const { said } = await following.over;
  assert.match(said, /turn 2 completed/);
});
