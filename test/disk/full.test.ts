/** What Reprise does on a disk that is full, or nearly. */
import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type TestHouse,
  isWords,
  say,
  seenUntil,
  turnEnded,
} from "../e2e/house.ts";
import type { Event } from "../../src/contract/event/event.ts";
import { allEvents, houseOn, isAlive, noticesOf, until } from "./house.ts";
import { Scene } from "../e2e/shared-house.ts";
import { usedInTurn } from "../../src/kit/fixtures/in-turn.ts";
import { mountingTest, SmallDisk } from "./small-disk.ts";
import { heldAt } from "../../src/kit/fixtures/held-turn.ts";

const MEBIBYTE = 1024 * 1024;

/** A house on a disk of its own, which each test fills and frees again. */
class SceneOnDisk implements AsyncDisposable {
  readonly disk: SmallDisk;
  readonly scene: Scene;

  private constructor(disk: SmallDisk, scene: Scene) {
    this.disk = disk;
    this.scene = scene;
  }

  static async make(): Promise<SceneOnDisk> {
    await using disks = new AsyncDisposableStack();
    const disk = disks.use(await SmallDisk.make(64));
    const scene = await Scene.in(await houseOn(disk));
    disks.move();
    return new SceneOnDisk(disk, scene);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.scene[Symbol.asyncDispose]();
    await this.disk[Symbol.asyncDispose]();
  }
}

const inTurn = usedInTurn(SceneOnDisk.make);

const test = (
  name: string,
  run: (disk: SmallDisk, scene: Scene) => Promise<void>,
): void =>
  mountingTest(name, () =>
    inTurn(async ({ disk, scene }) => {
      await scene.begin();
      await run(disk, scene);
    }),
  );

const fullDisk = { code: "storage_full", message: /is (nearly )?full.*Free/ };

test("[REC-15] [P1] [P2] a disk fills while an agent speaks: what cannot be durable is refused, nothing acknowledged is lost, and with room again all goes on", async (disk, {
  house,
  server,
  client,
}) => {
  const quiet = await client.createSession({ cwd: house.workspace });
  await say(client, quiet.id, "remember pass=mellon");
  const busy = await client.createSession({ cwd: house.workspace });
  const latch = house.latch();
  const asked = await client.queuePrompt(busy.id, {
    text: `count 40 0\nrun ${latch.wait}\ncount 9999 0`,
  });
  await seenUntil(client, busy.id, isWords);
  const { agent_execution_id } = await client.showSession(busy.id);

  await disk.fill();
  latch.open();
  await assert.rejects(client.createSession({}), fullDisk);
  await assert.rejects(
    client.queuePrompt(quiet.id, { text: "hello" }),
    fullDisk,
  );
  await assert.rejects(client.endSession(quiet.id), fullDisk);
  const refused = await fetch(`${server.url}/api/sessions/${quiet.id}/end`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}` },
  });
  assert.equal(refused.status, 507);
  // The agent cannot be heard any more, and ends.
  await until(async () => !(await isAlive(agent_execution_id)));
  const { size } = await stat(stdoutOf(house, agent_execution_id));
  assert.equal((await client.showSession(quiet.id)).turn_count, 1);
  assert.equal((await client.listMessages(quiet.id)).messages.length, 2);
  assert.match((await house.cli(["doctor"])).out, /fail\s+disk\s+0 MiB free/);

  await disk.free();
  const seen = await seenUntil(
    client,
    busy.id,
    ({ type }) => type === "session.execution.ended",
  );
  assert.deepEqual(
    seen.map(({ seq }) => seq),
    seen.map((_, i) => i + 1),
  );
  assert.equal(accountedFor(seen), size);
  assert.ok(noticesOf(seen).includes("disk_full"));
  const after = await client.showSession(busy.id);
  assert.deepEqual(
    after.unresolved_prompts.map(({ id, state }) => [id, state]),
    [[asked.id, "interrupted"]],
  );
  assert.match(await say(client, busy.id, "hello"), /You said: hello/);
  assert.equal(
    (await say(client, quiet.id, "recall pass")).trim(),
    "pass=mellon",
  );
  assert.equal(server.process.exitCode, null);
});

test("[REC-15] a disk that is nearly full: nothing new is begun, what runs is finished, and a key still gets its first answer", async (disk, {
  house,
  client,
}) => {
  const session = await client.createSession({ cwd: house.workspace });
  const key = "once";
  const latch = house.latch();
  const text = heldAt(latch);
  const prompt = await client.queuePrompt(session.id, { text }, { key });
  await seenUntil(client, session.id, isWords);

  await disk.fill(8 * MEBIBYTE);
  await assert.rejects(client.queuePrompt(session.id, { text: "hello" }), {
    code: "storage_full",
    message: /nearly full \(\d MiB are free\).*nothing new is begun/,
  });
  await assert.rejects(client.resumeSession(session.id), fullDisk);
  const again = await client.queuePrompt(session.id, { text }, { key });
  assert.equal(again.id, prompt.id);
  latch.open();
  await seenUntil(client, session.id, turnEnded(1));

  await disk.free();
  assert.match(await say(client, session.id, "hello"), /You said: hello/);
});

test("[REC-15] [P5] a permission that was asked for before the disk was full is answered when there is room", async (disk, {
  house,
  client,
}) => {
  const session = await client.createSession({
    cwd: house.workspace,
    prompt: "ask may I?",
  });
  const seen = await seenUntil(
    client,
    session.id,
    ({ type }) => type === "session.permission.requested",
  );
  const wish = seen.at(-1);
  assert.ok(wish?.type === "session.permission.requested");
  const { id } = wish.data.permission;
  const answer = () => client.answerPermission(session.id, id, "allow_once");

  await disk.fill();
  await assert.rejects(answer(), fullDisk);
  await disk.free();
  await answer();
  await seenUntil(client, session.id, turnEnded(1));
});

test("[REC-15] a server is started on a full disk: it says so and ends; with room it starts, and has everything", async (disk, scene) => {
  const { house, server: first } = scene;
  const session = await first.client.createSession({ cwd: house.workspace });
  await say(first.client, session.id, "remember pass=mellon");
  await first.kill();

  await disk.fill();
  const { code, err } = await house.cli(["up", "--port", "0"]);
  assert.equal(code, 1);
  assert.match(err, /is full.*Free some space/);
  assert.ok(!err.includes("    at "), "no stack trace");

  await disk.free();
  const { client } = await scene.up();
  assert.equal(
    (await say(client, session.id, "recall pass")).trim(),
    "pass=mellon",
  );
  const events = await allEvents(client, session.id);
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, i) => i + 1),
  );
  assert.match(await readFile(join(house.home, "server.log"), "utf8"), /up/);
});

const stdoutOf = (house: TestHouse, execution: string | null): string =>
  join(house.home, "agentctl", "executions", `${execution}`, "stdout");

/** How far the journal accounts for the agent's bytes, without a gap. */
const accountedFor = (events: readonly Event[]): number => {
  let end = 0;
  for (const { origin } of events) {
    if (origin === undefined || origin.to <= end) continue;
    assert.equal(origin.from, end);
    end = origin.to;
  }
  return end;
};
