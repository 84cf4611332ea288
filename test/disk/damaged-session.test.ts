/** One bit of a closed database is another; then a real server is started on it. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Client } from "../../src/client/client.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { TestHouse, say } from "../e2e/house.ts";

test("[STO-2] [REC-24] [REC-25] [REC-26] a flipped bit in one session: it is marked, forked, exported and deleted, and the others work", async () => {
  await using house = await TestHouse.make();
  const first = await house.up();
  const begin = async () =>
    (await first.client.createSession({ cwd: house.workspace })).id;
  const [bad, good] = [await begin(), await begin()];
  for (const session of [bad, good]) {
    await say(first.client, session, "remember pass=mellon");
    await say(first.client, session, "an unmistakable second turn");
    await say(first.client, session, "the third turn");
  }
  await captured(first.client, bad, 3);
  const before = await first.client.listMessages(bad);
  await first.stop();
  // The agent's answer in the second turn: events are read from the start where there is no newer snapshot before it.
  await flipInEvent(
    join(house.home, "reprise.db"),
    bad,
    "You said: an unmistakable",
  );

  const { client } = await house.up();
  const { messages } = await client.listMessages(bad);
  const notice = messages.at(-1);
  assert.equal(notice?.role, "notice");
  assert.deepEqual(
    messages.slice(0, -1),
    before.messages.slice(0, messages.length - 1),
  );
  const { damaged_from } = await client.showSession(bad);
  assert.ok(damaged_from !== null);
  assert.match(notice.text, new RegExp(`from event ${damaged_from} on`));
  await assert.rejects(client.queuePrompt(bad, { text: "go on" }), {
    code: "session_damaged",
    damaged_from,
  });
  // A follower gets what there is, and is told why there is no more.
  const seen: number[] = [];
  await assert.rejects(
    async () => {
      for await (const { seq } of client.follow(bad)) seen.push(seq);
    },
    { code: "session_damaged" },
  );
  assert.equal(seen.length, damaged_from - 1);

  const listed = await house.cli(["session", "list"]);
  assert.match(listed.out, new RegExp(`${bad}.*damaged`));
  const status = await house.cli(["session", "status", bad]);
  assert.match(status.out, /damaged from event \d+ on/);
  const doctor = await house.cli(["doctor", "--json"]);
  assert.equal(doctor.code, 1);
  assert.match(doctor.out, new RegExp(`${bad} is damaged from event`));

  const fork = await client.forkSession(bad, { turn: 1 });
  assert.match(await say(client, fork.id, "recall pass"), /pass=mellon/);
  const file = join(house.directory, "bad.reprise");
  const exported = await house.cli(["session", "export", bad, file]);
  assert.equal(exported.code, 0, exported.err);
  assert.match(exported.out, /the file holds what came before/);
  assert.match(await say(client, good, "recall pass"), /pass=mellon/);

  await client.deleteSession(bad);
  const { sessions } = await client.listSessions();
  assert.deepEqual(
    new Set(sessions.map(({ id }) => id)),
    new Set([good, fork.id]),
  );
  await using elsewhere = await TestHouse.make();
  const other = await elsewhere.up();
  const taken = await elsewhere.cli(["session", "import", file]);
  assert.equal(taken.code, 0, taken.err);
  const conversation = await other.client.listMessages(bad);
  assert.match(
    conversation.messages.map(({ text }) => text).join("\n"),
    /was damaged from event \d+ on when it was exported/,
  );
});

const captured = async (
  client: Client,
  session: string,
  turn: number,
): Promise<void> => {
  for await (const event of client.follow(session, {
    signal: AbortSignal.timeout(patience(60_000)),
  }))
    if (
      event.type === "session.checkpoint.saved" &&
      event.data.checkpoint.turn === turn
    )
      return;
  assert.fail(`turn ${turn} was not captured`);
};

/** Flips one bit in the text of an event of a session, wherever it lies in the file. */
const flipInEvent = async (
  path: string,
  session: string,
  words: string,
): Promise<void> => {
  const bytes = await readFile(path);
  const db = new DatabaseSync(path, { readOnly: true });
  const row = db
    .prepare("SELECT body FROM events WHERE session_id = ? AND body LIKE ?")
    .get(session, `%${words}%`);
  db.close();
  const event = String(row?.["body"]);
  const at = bytes.indexOf(event) + event.indexOf(words) + 3;
  assert.ok(at > 100, "the event is not in the file");
  bytes[at] = (bytes[at] ?? 0) ^ 0b100;
  await writeFile(path, bytes);
};
