/** Whatever is killed, wherever it stands: every word comes once, and the prompt runs once. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import { killAgents } from "../e2e/counting.ts";
import { seenUntil } from "../e2e/house.ts";
import type { Scene } from "../e2e/shared-house.ts";
import { sharedHouse } from "../e2e/shared-house.ts";
import { Editor, endServer } from "./editor.ts";

const test = sharedHouse();

const Failed = z.object({ data: z.object({ code: z.string() }) });

const numbers = (n: number): string =>
  Array.from({ length: n }, (_, i) => `${i + 1}\n`).join("");

/** A session whose agent writes down each prompt that it begins. */
const begun = async ({ house, client, workspace }: Scene) => {
  const ledger = join(workspace, "ledger");
  const { id } = await client.createSession({
    cwd: workspace,
    env: { DEMO_LEDGER: ledger },
  });
  const taken = async (): Promise<number> =>
    (await readFile(ledger, "utf8")).trim().split("\n").length;
  const latch = house.latch();
  return { id, taken, latch };
};

/** What doors told, one after the other: the next one may repeat the update that the last one was telling when it was killed. */
const joined = (
  before: string,
  { last, after }: { last: string; after: string },
): string =>
  before +
  (last !== "" && after.startsWith(last) ? after.slice(last.length) : after);

/** What the agent says if it says all: 24 chunks. */
const WORDS = `${numbers(10)}The command ended with exit code 0.\n${numbers(14)}`;

const held = (latch: { wait: string }): string =>
  `count 10 0\nrun ${latch.wait}\ncount 14 0`;

/** Ends the door, which would start the next one, and the server that it has started: the house can have its own again. */
const giveBack = async (scene: Scene, editor: Editor): Promise<void> => {
  await editor.kill();
  await endServer(scene.house.home);
};

test("[ACP-3] [ACP-15] the server is killed at a chunk: the door starts another, and the answer comes with every word once", async (scene) => {
  const { id, taken, latch } = await begun(scene);
  await using editor = await Editor.open(scene.house);
  const prompt = editor.prompt(id, held(latch));
  await editor.until(() => editor.said().includes("10\n"));
  await scene.server.kill();
  latch.open();
  assert.deepEqual(await prompt, { stopReason: "end_turn" });
  assert.equal(editor.said(), WORDS);
  assert.equal(await taken(), 1);
  await giveBack(scene, editor);
});

test("[ACP-3] [ACP-15] agentctl is killed at a chunk: the answer comes with every word once", async (scene) => {
  const { id, taken, latch } = await begun(scene);
  await using editor = await Editor.open(scene.house);
  const prompt = editor.prompt(id, held(latch));
  await editor.until(() => editor.said().includes("10\n"));
  await endDaemon(scene.house.home);
  latch.open();
  assert.deepEqual(await prompt, { stopReason: "end_turn" });
  assert.equal(editor.said(), WORDS);
  assert.equal(await taken(), 1);
});

test("[ACP-3] the server is killed as the prompt goes out: it runs once, and is answered", async (scene) => {
  const { id, taken, latch } = await begun(scene);
  await using editor = await Editor.open(scene.house);
  await editor.prompt(id, "count 1 0");
  latch.open();
  const prompt = editor.prompt(id, held(latch));
  await scene.server.kill();
  assert.deepEqual(await prompt, { stopReason: "end_turn" });
  assert.equal(editor.said(), `1\n${WORDS}`);
  assert.equal(await taken(), 2);
  await giveBack(scene, editor);
});

test("[ACP-3] [ACP-19] the server is killed at a permission: the answer still reaches the agent", async (scene) => {
  const { id } = await begun(scene);
  await using editor = await Editor.open(scene.house);
  const prompt = editor.prompt(id, "ask May I?\ncount 3 0");
  const question = await editor.question();
  await scene.server.kill();
  question.choose("allow_once");
  assert.deepEqual(await prompt, { stopReason: "end_turn" });
  assert.equal(editor.said(), `You chose allow_once.\n${numbers(3)}`);
  await giveBack(scene, editor);
});

test("[ACP-3] no server runs: the first request starts one", async (scene) => {
  await scene.server.kill();
  await using editor = await Editor.open(scene.house);
  const id = await editor.start(scene.workspace);
  await editor.prompt(id, "count 2 0");
  assert.equal(editor.said(), numbers(2));
  await giveBack(scene, editor);
});

test("[ACP-9] the door is killed as the prompt goes out: resumed, it tells all of the turn, and the prompt is not shown again", async (scene) => {
  const { id, taken, latch } = await begun(scene);
  await using first = await Editor.open(scene.house);
  await first.prompt(id, "count 1 0");
  const heldFirst = `run ${latch.wait}\ncount 24 0`;
  const prompt = first.prompt(id, heldFirst).catch(() => null);
  await eventually(
    () => scene.client.showSession(id),
    ({ state }) => state === "RUNNING",
  );
  await first.kill();
  await prompt;
  await using second = await Editor.open(scene.house);
  await second.agent.request("session/resume", {
    sessionId: id,
    cwd: scene.workspace,
    mcpServers: [],
  });
  latch.open();
  await second.until(() => second.said().endsWith("24\n"));
  assert.equal(
    first.said() + second.said(),
    `1\nThe command ended with exit code 0.\n${numbers(24)}`,
  );
  assert.equal(second.heard(), "");
  assert.equal(await taken(), 2);
});

test("[ACP-9] [ACP-10] the door is killed in the middle of the words, again and again: together they are all of them, in order, and none is told again but the one that was being told", async (scene) => {
  const { id, taken } = await begun(scene);
  let said = "";
  let last = "";
  const saidWith = (editor: Editor): string =>
    joined(said, { last, after: editor.said() });
  await using first = await Editor.open(scene.house);
  const prompt = first.prompt(id, "count 24 40").catch(() => null);
  let editor = first;
  for (const n of [4, 11, 17]) {
    await editor.until(() => saidWith(editor).includes(`\n${n}\n`));
    await editor.kill();
    said = saidWith(editor);
    last = editor.lastSaid() === "" ? last : editor.lastSaid();
    editor = await Editor.open(scene.house);
    await editor.agent.request("session/resume", {
      sessionId: id,
      cwd: scene.workspace,
      mcpServers: [],
    });
  }
  await using final = editor;
  await final.until(() => saidWith(final).endsWith("24\n"));
  assert.equal(saidWith(final), numbers(24));
  await prompt;
  assert.equal(await taken(), 1);
});

test("[ACP-8] [ACP-19] the door is killed at a permission: loaded, it asks again", async (scene) => {
  const { id, taken } = await begun(scene);
  await using first = await Editor.open(scene.house);
  const prompt = first.prompt(id, "ask May I?\ncount 24 0").catch(() => null);
  await first.question();
  await first.kill();
  await prompt;
  await using second = await Editor.open(scene.house);
  await second.load(id, scene.workspace);
  (await second.question()).choose("allow_once");
  await second.until(() => second.said().endsWith("24\n"));
  assert.equal(second.said(), `You chose allow_once.\n${numbers(24)}`);
  assert.equal(await taken(), 1);
});

test("[ACP-16] the agent is killed as the prompt goes out: it is answered as it came, runs once at most, and the next goes on", async (scene) => {
  const { client } = scene;
  const { id, taken, latch } = await begun(scene);
  await using editor = await Editor.open(scene.house);
  await editor.prompt(id, "remember pass=mellon");
  const { last_seq } = await client.showSession(id);
  const before = editor.said();
  const prompt = editor.prompt(id, held(latch)).then(
    ({ stopReason }) => stopReason,
    (error: unknown) => Failed.parse(error).data.code,
  );
  await seenUntil(
    client,
    id,
    ({ type }) => type === "session.turn.started",
    last_seq,
  );
  await killAgents(client, id);
  latch.open();
  const came = await prompt;
  const ran = (await taken()) - 1;
  if (came === "end_turn") {
    // It certainly had not got the prompt: the next agent did.
    assert.ok(editor.said().endsWith(WORDS), editor.said());
    assert.equal(ran, 1);
  } else {
    assert.match(came, /^(interrupted|uncertain)$/);
    assert.ok(!editor.said().endsWith(WORDS));
    assert.ok(ran <= 1);
  }
  await editor.prompt(id, "recall pass");
  assert.match(editor.said().slice(before.length), /pass=mellon\n$/);
  assert.equal(await taken(), ran + 2);
});

test("[ACP-16] the agent is killed with the prompt taken and nothing said: an error says so, and the next goes on", async (scene) => {
  const { id, taken } = await begun(scene);
  await using editor = await Editor.open(scene.house);
  await editor.prompt(id, "remember pass=mellon");
  const prompt = editor.prompt(id, "sleep 3600000");
  await eventually(taken, (prompts) => prompts === 2);
  await Promise.all([
    assert.rejects(prompt, { code: -32603, data: { code: "interrupted" } }),
    killAgents(scene.client, id),
  ]);
  await editor.prompt(id, "recall pass");
  assert.match(editor.said(), /pass=mellon\n$/);
  assert.equal(await taken(), 3);
});

test("[ACP-16] [ACP-22] the agent is killed at a chunk: an error says so, and the next prompt goes on with its memory", async (scene) => {
  const { id, latch } = await begun(scene);
  await using editor = await Editor.open(scene.house);
  await editor.prompt(id, "remember pass=mellon");
  const prompt = editor.prompt(id, held(latch));
  await editor.until(() =>
    editor.updates.some(
      ({ update: { sessionUpdate } }) => sessionUpdate === "tool_call",
    ),
  );
  await Promise.all([
    assert.rejects(prompt, {
      code: -32603,
      message: /was interrupted .* send a prompt to go on/,
      data: { code: "interrupted" },
    }),
    killAgents(scene.client, id),
  ]);
  const before = editor.said();
  await editor.prompt(id, "recall pass");
  assert.match(editor.said().slice(before.length), /pass=mellon\n$/);
  const statuses = editor.updates.flatMap(({ update }) =>
    update.sessionUpdate === "tool_call_update" ? [update.status] : [],
  );
  assert.equal(statuses.at(-1), "failed");
});

test("[ACP-16] the agent is killed at a permission: the question is withdrawn, and the prompt is answered with an error", async (scene) => {
  const { id } = await begun(scene);
  await using editor = await Editor.open(scene.house);
  const prompt = editor.prompt(id, "ask May I?");
  const question = await editor.question();
  const withdrawn = new Promise((resolve) =>
    question.withdrawn.addEventListener("abort", resolve),
  );
  await Promise.all([
    assert.rejects(prompt, { code: -32603 }),
    killAgents(scene.client, id),
    withdrawn,
  ]);
  await editor.prompt(id, "count 2 0");
  assert.match(editor.said(), /1\n2\n$/);
});

test("[ACP-16] a session that goes on by itself is waited for, though its agent was killed", async (scene) => {
  const { client, workspace, house } = scene;
  const latch = house.latch();
  const { id } = await client.createSession({
    cwd: workspace,
    on_interrupt: "continue",
  });
  await using editor = await Editor.open(house);
  const prompt = editor.prompt(id, `count 2 0\nrun ${latch.wait}`);
  await editor.until(() => editor.said().includes("2\n"));
  await killAgents(client, id);
  assert.deepEqual(await prompt, { stopReason: "end_turn" });
});
