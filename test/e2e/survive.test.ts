/** Whatever is killed, the session goes on or says what happened. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "../../src/client/client.ts";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import {
  all,
  counted,
  counting,
  killAgents,
  killEverything,
} from "./counting.ts";
import {
  allOf,
  commandRuns,
  isResumed,
  say,
  seenUntil,
  turnEnded,
} from "./house.ts";
import { sharedHouse } from "./shared-house.ts";

const test = sharedHouse();

test("[REC-2] [P2] the server is killed in the middle of a turn: the agent never notices, the next server has every byte", async (scene) => {
  const { house, server: first } = scene;
  const { id, seen, latch, taken } = await counting(house, first.client);
  const before = await first.client.showSession(id);
  await first.kill();
  latch.open();

  const { client } = await scene.up();
  const rest = await seenUntil(
    client,
    id,
    allOf(isResumed, turnEnded(1)),
    seen.at(-1)?.seq,
  );
  assert.equal(rest[0]?.seq, (seen.at(-1)?.seq ?? 0) + 1);
  assert.ok(
    rest.some(
      (event) =>
        event.type === "session.resumed" &&
        event.data.resume.grade === "reattached",
    ),
  );
  assert.deepEqual(await counted(client, id), all);
  assert.equal(
    (await client.showSession(id)).agent_execution_id,
    before.agent_execution_id,
  );
  assert.equal(await taken(), 1);
});

test("[REC-7] [P2] agentctl is killed in the middle of a turn: its successor adopts the agent and the turn ends normally", async (scene) => {
  const { house, client } = scene;
  const { id, latch, taken } = await counting(house, client);
  await endDaemon(house.home);
  latch.open();
  const seen = await seenUntil(client, id, turnEnded(1));
  assert.ok(!seen.some(({ type }) => type === "session.turn.interrupted"));
  assert.deepEqual(await counted(client, id), all);
  assert.equal(await taken(), 1);
  assert.equal((await say(client, id, "recall pass")).trim(), "pass=mellon");
});

test("[REC-2] [P2] server and agentctl are killed together: the agent goes on into its file and is heard to the end", async (scene) => {
  const { house, server: first } = scene;
  const { id, latch, taken } = await counting(house, first.client);
  await first.kill();
  await endDaemon(house.home);
  latch.open();
  const { client } = await scene.up();
  await seenUntil(client, id, turnEnded(1));
  assert.deepEqual(await counted(client, id), all);
  assert.equal(await taken(), 1);
  assert.equal((await say(client, id, "recall pass")).trim(), "pass=mellon");
});

test("[P7] the agent is killed in the middle of a turn: interrupted, what it said is kept, resumable at once, never sent again", async (scene) => {
  const { house, client } = scene;
  const { id, taken } = await counting(house, client);
  await killAgents(client, id);
  await seenUntil(client, id, ({ type }) => type === "session.execution.ended");
  const shown = await client.showSession(id);
  assert.equal(shown.unresolved_prompts[0]?.state, "interrupted");
  const numbers = await counted(client, id);
  assert.ok(numbers.length > 0 && numbers.length < all.length);
  assert.deepEqual(numbers, all.slice(0, numbers.length));
  const resumed = await client.resumeSession(id);
  assert.equal(resumed.resume?.grade, "native");
  assert.equal((await say(client, id, "recall pass")).trim(), "pass=mellon");
  assert.equal(await taken(), 2, "the interrupted prompt was not sent again");
});

test("[REC-3] [REC-5] everything is killed: from disk alone the session is brought back and the prompts that waited are done", async (scene) => {
  const { house, server: first } = scene;
  const { id, taken } = await counting(house, first.client);
  const waiting = await first.client.queuePrompt(id, { text: "recall pass" });
  const idle = await first.client.createSession({
    cwd: house.workspace,
    prompt: "hello",
  });
  await seenUntil(first.client, idle.id, turnEnded(1));
  await killEverything(house, first);

  const { client } = await scene.up();
  const seen = await seenUntil(client, id, turnEnded(2));
  assert.ok(
    seen.some(
      (event) =>
        event.type === "session.turn.interrupted" && event.data.turn === 1,
    ),
  );
  assert.equal((await client.showPrompt(id, waiting.id)).state, "done");
  const { messages } = await client.listMessages(id);
  assert.equal(
    messages.findLast(({ role }) => role === "agent")?.text.trim(),
    "pass=mellon",
  );
  assert.equal(await taken(), 2);
  assert.equal((await client.showSession(id)).resume?.grade, "native");
  const left = await client.showSession(idle.id);
  assert.deepEqual(
    [left.state, left.is_agent_running],
    ["WAITING_FOR_INPUT", false],
    "idle sessions are left as they are",
  );
});

test("[REC-3] everything is killed in a turn and nothing waits: the agent is brought back and the user decides", async (scene) => {
  const { house, server: first } = scene;
  const { id, taken } = await counting(house, first.client);
  const forgetful = await first.client.createSession({
    agent: "demo-fresh",
    cwd: house.workspace,
    prompt: `run ${house.latch().wait}`,
  });
  await seenUntil(first.client, forgetful.id, commandRuns);
  await killEverything(house, first);

  const { client } = await scene.up();
  await seenUntil(client, id, isResumed);
  const shown = await client.showSession(id);
  assert.deepEqual(
    [shown.state, shown.is_agent_running, shown.resume?.grade],
    ["WAITING_FOR_INPUT", true, "native"],
  );
  const prompt = shown.unresolved_prompts[0];
  assert.ok(prompt !== undefined);
  assert.equal(
    (await client.resolvePrompt(id, prompt.id, "continue")).state,
    "interrupted",
  );
  const seen = await seenUntil(client, id, turnEnded(2));
  assert.ok(
    seen.some(
      (event) =>
        event.type === "session.message.added" &&
        /was interrupted/.test(event.data.message.text),
    ),
  );
  assert.equal(await taken(), 2);

  await seenUntil(
    client,
    forgetful.id,
    (event) =>
      event.type === "session.notice" && event.data.code === "not_resumable",
  );
  const status = await client.sessionStatus(forgetful.id);
  assert.deepEqual(
    [
      status.is_resumable,
      status.needs_resume,
      status.resume_reason,
      status.requires_new_session,
    ],
    [false, false, "not_resumable", true],
  );
});

test("[P5] a permission that is pending when the server, agentctl or both are killed can still be answered", async (scene) => {
  const { house } = scene;
  const ask = async (client: Client, path: string) => {
    const { id } = await client.createSession({
      cwd: house.workspace,
      prompt: `ask-write ${path} hello`,
    });
    await seenUntil(
      client,
      id,
      ({ type }) => type === "session.permission.requested",
    );
    return id;
  };
  for (const [path, kill] of [
    ["a.txt", async () => scene.server.kill()],
    ["b.txt", async () => endDaemon(house.home)],
    [
      "c.txt",
      async () => Promise.all([scene.server.kill(), endDaemon(house.home)]),
    ],
  ] as const) {
    const id = await ask(scene.client, path);
    await kill();
    await scene.upAgain();
    const { client } = scene;
    const permission = (await client.showSession(id)).pending_permissions[0];
    assert.ok(permission !== undefined, path);
    await client.answerPermission(id, permission.id, "allow_once");
    await seenUntil(client, id, turnEnded(1));
    assert.equal(await readFile(join(house.workspace, path), "utf8"), "hello");
  }
  const { client } = scene;
  const id = await ask(client, "d.txt");
  const asked = (await client.showSession(id)).pending_permissions[0];
  await killAgents(client, id);
  const seen = await seenUntil(
    client,
    id,
    ({ type }) => type === "session.execution.ended",
  );
  const closed = seen.find(({ type }) => type === "session.permission.closed");
  assert.equal(
    closed?.type === "session.permission.closed" && closed.data.reason,
    "agent_died",
  );
  await assert.rejects(
    client.answerPermission(id, asked?.id ?? "", "allow_once"),
    { code: "permission_closed" },
  );
});
