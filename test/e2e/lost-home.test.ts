/** The home goes away under a running server: nothing is acknowledged that would be lost with it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { agentctlOf } from "../../src/executors/standalone/frozen.ts";
import { markedProcesses } from "../../src/kit/processes/marked-processes.ts";
import { isRunning } from "../../src/kit/processes/process-identity.ts";
import { say, seenUntil, type Server, TestHouse } from "./house.ts";
import { eventually } from "../../src/kit/fixtures/patience.ts";

const refused = { code: "storage_unavailable" };

/** A server with one session that has had a turn. */
const working = async (house: TestHouse) => {
  const server = await house.up();
  const session = await server.client.createSession({ cwd: house.workspace });
  await say(server.client, session.id, "remember pass=mellon");
  // Nobody is writing when the home goes away.
  await seenUntil(
    server.client,
    session.id,
    (event) =>
      event.type === "session.checkpoint.saved" &&
      event.data.checkpoint.kind === "turn",
  );
  return { server, session: session.id };
};

/** Everything that would be acknowledged is refused; what is known can still be read. */
const assertNothingIsTaken = async (
  { client }: Server,
  house: TestHouse,
  session: string,
): Promise<void> => {
  for (let i = 0; i < 3; i++)
    await assert.rejects(
      client.queuePrompt(session, { text: `lost ${i}` }),
      refused,
    );
  await assert.rejects(client.createSession({ cwd: house.workspace }), refused);
  await assert.rejects(client.createTask({ title: "lost" }), refused);
  const { messages } = await client.listMessages(session);
  assert.equal(messages.length, 2);
};

describe("[P1] [REC-27] nothing is acknowledged into a home that is not there", () => {
  test("moved away: refused, and nothing is made in its place; moved back: it goes on", async () => {
    await using house = await TestHouse.make();
    const { server, session } = await working(house);
    const away = `${house.home}-away`;
    await rename(house.home, away);
    await assertNothingIsTaken(server, house, session);
    await eventually(
      async () => server.printed(),
      (words) => words.includes("is not there any more"),
    );
    assert.equal(existsSync(house.home), false);

    await rename(away, house.home);
    await eventually(
      async () => server.printed(),
      (words) => words.includes("is back"),
    );
    assert.match(
      await say(server.client, session, "recall pass"),
      /pass=mellon/,
    );
    await server.stop();
    const again = await house.up();
    const { messages } = await again.client.listMessages(session);
    assert.deepEqual(
      messages.filter(({ role }) => role === "user").map(({ text }) => text),
      ["remember pass=mellon", "recall pass"],
    );
  });

  test("replaced by another directory: refused, and nothing of the other one is touched", async () => {
    await using house = await TestHouse.make();
    const { server, session } = await working(house);
    const other = `${house.home}-other`;
    await mkdir(other, { mode: 0o700 });
    for (const name of ["reprise.db", "reprise.db-wal", "server.log"])
      await writeFile(join(other, name), `another ${name}`);
    await rename(house.home, `${house.home}-away`);
    await rename(other, house.home);
    await assertNothingIsTaken(server, house, session);
    await server.stop();
    assert.deepEqual((await readdir(house.home)).toSorted(), [
      "reprise.db",
      "reprise.db-wal",
      "server.log",
    ]);
    for (const name of await readdir(house.home))
      assert.equal(
        await readFile(join(house.home, name), "utf8"),
        `another ${name}`,
      );
    await rm(house.home, { recursive: true });
    await rename(`${house.home}-away`, house.home);
    const again = await house.up();
    assert.match(
      await say(again.client, session, "recall pass"),
      /pass=mellon/,
    );
  });

  test("the database replaced by a copy: refused, and the next start takes the copy", async () => {
    await using house = await TestHouse.make();
    const { server, session } = await working(house);
    const database = join(house.home, "reprise.db");
    await copyFile(database, `${database}.copy`);
    await copyFile(`${database}-wal`, `${database}-wal.copy`);
    await rename(`${database}.copy`, database);
    await rename(`${database}-wal.copy`, `${database}-wal`);
    await assertNothingIsTaken(server, house, session);
    await server.stop();
    const again = await house.up();
    assert.match(
      await say(again.client, session, "recall pass"),
      /pass=mellon/,
    );
  });

  for (const name of ["reprise.db", "reprise.db-wal", "server.lock"])
    test(`${name} moved away: refused; put back: it goes on`, async () => {
      await using house = await TestHouse.make();
      const { server, session } = await working(house);
      const path = join(house.home, name);
      await rename(path, `${path}.away`);
      await assertNothingIsTaken(server, house, session);
      await rename(`${path}.away`, path);
      assert.match(
        await say(server.client, session, "recall pass"),
        /pass=mellon/,
      );
    });

  test("removed: refused, then the server says so and stops", async () => {
    await using house = await TestHouse.make();
    const { server, session } = await working(house);
    const { agent_execution_id } = await server.client.showSession(session);
    const daemon = await agentctlOf(join(house.home, "agentctl"));
    assert.ok(daemon !== null);
    const ended = once(server.process, "close");
    await rm(house.home, { recursive: true, maxRetries: 10 });
    await server.client.queuePrompt(session, { text: "lost" }).then(
      () => assert.fail("a prompt was acknowledged into a removed home"),
      () => undefined,
    );
    assert.deepEqual(await ended, [1, null]);
    assert.match(server.printed(), /was removed while the server ran/);
    assert.equal(existsSync(house.home), false);
    await eventually(
      () => isRunning(daemon),
      (running) => !running,
    );
    const mark = `REPRISE_EXECUTION=${agent_execution_id}`;
    assert.deepEqual(await markedProcesses(mark), []);
  });
});
