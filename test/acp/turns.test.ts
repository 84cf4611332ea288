/** What a client can do about a turn and an open session: cancel, close, change, answer, leave. */
import assert from "node:assert/strict";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Client } from "../../src/client/client.ts";
import { SessionId } from "../../src/contract/base/id.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { sharedHouse } from "../e2e/shared-house.ts";
import { Editor } from "./editor.ts";

const test = sharedHouse();

test("[ACP-18] cancel ends the turn and takes back what waits", async ({
  house,
  client,
  workspace,
}) => {
  await using editor = await Editor.open(house);
  const id = await editor.start(workspace);
  const cancel = () => editor.agent.notify("session/cancel", { sessionId: id });
  // Right behind its prompt, and right before the next one.
  const cancelled = editor.prompt(id, "sleep 600000");
  void cancel();
  const next = editor.prompt(id, "count 1 0");
  assert.deepEqual(await Promise.all([cancelled, next]), [
    { stopReason: "cancelled" },
    { stopReason: "end_turn" },
  ]);
  const running = editor.prompt(id, "sleep 600000");
  const waiting = editor.prompt(id, "count 3 0");
  await eventually(
    () => client.showSession(id),
    ({ state, queued_prompts }) =>
      state === "RUNNING" && queued_prompts.length === 1,
  );
  await cancel();
  assert.deepEqual(await Promise.all([running, waiting]), [
    { stopReason: "cancelled" },
    { stopReason: "cancelled" },
  ]);
  const stop = new AbortController();
  const asked = editor.agent.request(
    "session/prompt",
    { sessionId: id, prompt: [{ type: "text", text: "sleep 600000" }] },
    { cancellationSignal: stop.signal },
  );
  await eventually(
    () => client.showSession(id),
    ({ state }) => state === "RUNNING",
  );
  stop.abort();
  assert.deepEqual(await asked, { stopReason: "cancelled" });
  assert.deepEqual(await editor.prompt(id, "hi"), { stopReason: "end_turn" });
});

test("[ACP-17] a prompt whose agent cannot be started is answered with the reason, and does not run later", async ({
  house,
  client,
  workspace,
}) => {
  const cwd = join(workspace, "gone");
  await mkdir(cwd);
  await using editor = await Editor.open(house);
  const { id } = await client.createSession({ cwd, checkpoints: false });
  await editor.prompt(id, "count 1 0");
  await client.pauseSession(id);
  await rm(cwd, { recursive: true });
  await assert.rejects(editor.prompt(id, "count 2 0"), { code: -32603 });
  await eventually(
    () => client.showSession(id),
    ({ queued_prompts }) => queued_prompts.length === 0,
  );
  await mkdir(cwd);
  await editor.prompt(id, "recall x");
  assert.match(editor.said(), /x is unknown\n$/);
  assert.doesNotMatch(editor.said(), /^2$/m);
});

test("[ACP-28] a prompt that waits in a session that is paused, or has used up its budget, is answered with an error and stays queued", async ({
  house,
  client,
  workspace,
}) => {
  await using editor = await Editor.open(house);
  const paused = await client.createSession({ cwd: workspace });
  const running = editor.prompt(paused.id, "sleep 600000");
  const behind = editor.prompt(paused.id, "count 1 0");
  const both = Promise.allSettled([running, behind]);
  await isBehind(client, paused.id);
  await client.pauseSession(paused.id);
  assert.deepEqual((await both).map(codeOf), ["interrupted", "paused"]);

  const latch = house.latch();
  const spent = await client.createSession({
    cwd: workspace,
    budget: { turns: 1 },
  });
  const first = editor.prompt(spent.id, `run ${latch.wait}`);
  const second = editor.prompt(spent.id, "count 1 0");
  const ends = Promise.allSettled([first, second]);
  await isBehind(client, spent.id);
  latch.open();
  assert.deepEqual((await ends).map(codeOf), [null, "budget_reached"]);
  for (const { id } of [paused, spent])
    assert.equal((await client.showSession(id)).queued_prompts.length, 1);
});

test("[ACP-12] [ACP-13] close cancels and pauses, delete puts into the trash", async ({
  house,
  client,
  workspace,
}) => {
  await using editor = await Editor.open(house);
  const id = await editor.start(workspace);
  const running = editor.prompt(id, "remember a=b\nsleep 600000");
  await editor.until(() => editor.said() !== "");
  await editor.agent.request("session/close", { sessionId: id });
  assert.deepEqual(await running, { stopReason: "cancelled" });
  assert.equal((await client.showSession(id)).state, "PAUSED");
  await editor.prompt(id, "recall a");
  assert.match(editor.said(), /a=b\n$/);
  await editor.agent.request("session/delete", { sessionId: id });
  assert.notEqual((await client.showSession(id)).deleted_at, null);
  await assert.rejects(editor.load(id, workspace), { code: -32002 });
  await editor.agent.request("session/delete", { sessionId: id });
});

test("[ACP-14] modes and options are set in the agent that runs, and changes by others are told", async ({
  house,
  client,
  workspace,
}) => {
  await using editor = await Editor.open(house);
  const id = await editor.start(workspace);
  await editor.agent.request("session/set_mode", {
    sessionId: id,
    modeId: "read-only",
  });
  assert.equal((await client.showSession(id)).definition.mode, "read-only");
  await editor.prompt(id, "write a.txt x");
  await assert.rejects(readFile(join(workspace, "a.txt")), { code: "ENOENT" });
  await client.changeSession(id, { mode: "work" });
  await editor.until(() =>
    editor.updates.some(
      ({ update }) =>
        update.sessionUpdate === "current_mode_update" &&
        update.currentModeId === "work",
    ),
  );
  const { configOptions } = await editor.agent.request(
    "session/set_config_option",
    { sessionId: id, configId: "voice", value: "loud" },
  );
  assert.deepEqual(
    configOptions.map((option) => [option.id, option.currentValue]),
    [["voice", "loud"]],
  );
  const { definition } = await client.showSession(id);
  assert.deepEqual(definition.options, { voice: "loud" });
  await assert.rejects(
    editor.agent.request("session/set_mode", {
      sessionId: id,
      modeId: "none-such",
    }),
    { code: -32602 },
  );
  await assert.rejects(
    editor.agent.request("session/set_config_option", {
      sessionId: id,
      configId: "nothing",
      value: "x",
    }),
    { code: -32602 },
  );
});

test("[ACP-19] an answer that chooses nothing leaves it pending, and one given elsewhere withdraws the question", async ({
  house,
  client,
  workspace,
}) => {
  await using editor = await Editor.open(house);
  const id = await editor.start(workspace);
  const prompt = editor.prompt(id, "ask one?\nask two?");
  (await editor.question(1)).cancel();
  const [permission] = await eventually(
    async () => (await client.showSession(id)).pending_permissions,
    (pending) => pending.length === 1,
  );
  assert.ok(permission);
  await client.answerPermission(id, permission.id, "reject_once");
  const second = await editor.question(2);
  assert.equal(second.params.toolCall.title, "two?");
  const [other] = (await client.showSession(id)).pending_permissions;
  assert.ok(other);
  const withdrawn = new Promise((resolve) =>
    second.withdrawn.addEventListener("abort", resolve),
  );
  await client.answerPermission(id, other.id, "allow_once");
  await withdrawn;
  assert.deepEqual(await prompt, { stopReason: "end_turn" });
  assert.equal(
    editor.said(),
    "You chose reject_once.\nYou chose allow_once.\n",
  );
});

test("[ACP-22] the grade is a notice for clients that show them, a message for others", async ({
  house,
  client,
  workspace,
}) => {
  await using plain = await Editor.open(house);
  const id = await plain.start(workspace);
  await using modern = await Editor.open(house, {
    name: "modern",
    capabilities: { session: { notices: {} } },
  });
  await modern.load(id, workspace);
  await plain.prompt(id, "remember a=b");
  await client.pauseSession(id);
  await plain.prompt(id, "recall a");
  assert.match(plain.said(), /\[Reprise\] .*\(native\)\.\n\na=b\n$/);
  await modern.until(() => modern.said().endsWith("a=b\n"));
  const notices = modern.updates.flatMap(({ update }) =>
    update.sessionUpdate === "notice" ? [update.title] : [],
  );
  assert.match(notices.join(), /\(native\)/);
  assert.doesNotMatch(modern.said(), /Reprise/);
});

test("[ACP-4] the editor leaves in the middle of a turn: the process ends, the turn goes on", async ({
  house,
  client,
  workspace,
}) => {
  const latch = house.latch();
  await using editor = await Editor.open(house);
  const id = SessionId.parse(await editor.start(workspace));
  const prompt = editor.prompt(id, `run ${latch.wait}\ncount 2 0`);
  prompt.catch(() => undefined);
  await editor.until(() => editor.updates.length > 0);
  assert.equal(await editor.leave(), 0);
  latch.open();
  const session = await eventually(
    () => client.showSession(id),
    ({ turn_count }) => turn_count === 1,
  );
  assert.equal(session.state, "WAITING_FOR_INPUT");
});

const isBehind = (client: Client, id: string) =>
  eventually(
    () => client.showSession(id),
    ({ state, queued_prompts }) =>
      state === "RUNNING" && queued_prompts.length === 1,
  );

const codeOf = (result: PromiseSettledResult<unknown>): unknown =>
  result.status === "fulfilled" ? null : Failure.parse(result.reason).data.code;

const Failure = z.object({ data: z.object({ code: z.string() }) });
