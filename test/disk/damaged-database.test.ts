/** What Reprise does with a database of which a part is gone. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { endDaemon } from "../../src/executors/fixtures/end-daemon.ts";
import { TestHouse, say } from "../e2e/house.ts";

const PAGE = 4096;
/** Only the spoilt session has it. */
const MARK = "spoil-this-page ";

test("[REC-21] [P10] a database that is older than agentctl knows: the server starts, and agents work", async () => {
  await using house = await TestHouse.make();
  const first = await house.up();
  const { id } = await first.client.createSession({ cwd: house.workspace });
  await say(first.client, id, "remember pass=mellon");
  await first.stop();
  await endDaemon(house.home);
  await writeFile(join(house.home, "agentctl", "term"), "4711\n");
  const { client } = await house.up();
  assert.equal(await recall(client, id, "pass"), "pass=mellon");
});

test("[REC-16] damaged pages: said at the start, and what does not lie there goes on", async () => {
  await using house = await TestHouse.make();
  const first = await house.up();
  const begin = () => first.client.createSession({ cwd: house.workspace });
  const [spoilt, whole] = [await begin(), await begin()];
  await say(first.client, spoilt.id, MARK.repeat(1000));
  await say(first.client, spoilt.id, "remember one=1");
  await say(first.client, whole.id, "remember pass=mellon");
  await first.stop();
  const path = join(house.home, "reprise.db");

  // Pages that hold nothing but a long text of the one session.
  assert.ok((await spoil(path, PAGE / MARK.length - 2)) > 0);
  const server = await house.up();
  const { client } = server;
  assert.match(await untilPrinted(server, "damaged"), /reprise\.db is damaged/);
  assert.match(await lastWords(client, spoilt.id), /damaged from event \d+ on/);
  await assert.rejects(client.queuePrompt(spoilt.id, { text: "recall one" }), {
    code: "session_damaged",
  });
  assert.equal(await recall(client, whole.id, "pass"), "pass=mellon");
  assert.equal((await client.listSessions()).sessions.length, 2);
  const doctor = await house.cli(["doctor"]);
  assert.equal(doctor.code, 1);
  assert.match(doctor.out, /^fail +database +The database .* is damaged/m);
  assert.match(
    doctor.out,
    new RegExp(`^fail +database +${spoilt.id}.*fork`, "m"),
  );
  await server.stop();

  // And now pages that hold the trees of many.
  assert.ok((await spoil(path, 1)) > 0);
  const again = await house.up();
  assert.match(await lastWords(again.client, spoilt.id), /damaged/);
  assert.equal((await again.client.health()).status, "ok");
  await again.stop();
  assert.equal(again.process.exitCode, 0);
});

test("[REC-16] a damaged log: the server does not start without what was acknowledged, and says what to do", async () => {
  await using house = await TestHouse.make();
  const first = await house.up();
  const session = await first.client.createSession({ cwd: house.workspace });
  await say(first.client, session.id, "remember pass=mellon");
  await first.kill();
  const log = join(house.home, "reprise.db-wal");
  const good = await readFile(log);
  const bad = Buffer.alloc(good.length, 0xee);
  await writeFile(log, bad);

  const { code, err } = await house.cli(["up", "--port", "0"]);
  assert.equal(code, 1);
  assert.match(err, /reprise\.db-wal is damaged.*Keep a copy/);
  assert.deepEqual(await readFile(log), bad);

  await writeFile(log, good);
  const { client } = await house.up();
  assert.equal(await recall(client, session.id, "pass"), "pass=mellon");
});

test("[REC-16] no database at all, and half a one: said, and left as they are", async () => {
  await using house = await TestHouse.make();
  const server = await house.up();
  await server.client.listSessions();
  await server.stop();
  const path = join(house.home, "reprise.db");
  const good = await readFile(path);
  const bad = [
    Buffer.from("not a database ".repeat(1000)),
    good.subarray(0, 2 * PAGE),
  ];
  for (const bytes of bad) {
    await writeFile(path, bytes);
    const { code, err } = await house.cli(["up", "--port", "0"]);
    assert.equal(code, 1);
    assert.match(err, /reprise\.db.* damaged.*restore a backup/);
    assert.deepEqual(await readFile(path), bytes);
  }
});

/** Of the conversation, or of the refusal to show any. */
const lastWords = (client: Server["client"], session: string) =>
  client.listMessages(session).then(
    ({ messages }) => messages.at(-1)?.text ?? "",
    (error: unknown) => String(error),
  );

type Server = Awaited<ReturnType<TestHouse["up"]>>;

const recall = async (client: Server["client"], session: string, key: string) =>
  (await say(client, session, `recall ${key}`)).trim();

/** What a server says right after it is up. */
const untilPrinted = async (server: Server, words: string): Promise<string> => {
  while (!server.printed().includes(words)) await server.client.health();
  return server.printed();
};

/** Overwrites the pages that hold the mark so often; says how many. */
const spoil = async (path: string, least: number): Promise<number> => {
  const bytes = await readFile(path);
  const spared = freelistOf(bytes);
  let spoilt = 0;
  for (let at = 0; at < bytes.length; at += PAGE) {
    const page = bytes.subarray(at, at + PAGE);
    if (spared.has(at / PAGE + 1)) continue;
    if (page.toString("latin1").split(MARK).length - 1 < least) continue;
    page.fill(0xee);
    spoilt += 1;
  }
  await writeFile(path, bytes);
  return spoilt;
};

/** The pages that list the free ones: old text may stand in them, but without them nothing can be written at all. */
const freelistOf = (bytes: Buffer): ReadonlySet<number> => {
  const pages = new Set<number>();
  for (let page = bytes.readUInt32BE(32); page !== 0;) {
    pages.add(page);
    page = bytes.readUInt32BE((page - 1) * PAGE);
  }
  return pages;
};
