import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Store } from "../../runtime/ports/store.ts";
import { refused } from "../fixtures/conformance/rule.ts";
import {
  append,
  at,
  begun,
  captured,
  placeTerm,
  said,
  sessionId,
} from "../fixtures/conformance/sample.ts";
import { databasePath, openAt } from "./fixtures/place.ts";
import { spoil } from "./fixtures/spoil.ts";

const [one, two] = [sessionId(1), sessionId(2)];
const EVENTS = 10;
const PAGE = 4096;
const MARK = "in pages of its own ";

/** A database with two sessions, closed and spoilt; then opened again. */
const spoilt = async (
  t: Parameters<typeof databasePath>[0],
  ...statements: readonly string[]
): Promise<{ store: Store; path: string; term: number }> => {
  const path = databasePath(t);
  const before = await openAt(path);
  const first = await before.claim();
  for (const session of [one, two])
    await before.append(append(first, session, 0, EVENTS));
  await before.close();
  for (const sql of statements) assert.ok(spoil(path, sql) > 0, sql);
  const store = await openAt(path);
  return { store, path, term: await store.claim() };
};

const damages: Record<string, { sql: string[]; from: number }> = {
  "a character of an event is another": {
    sql: [
      `UPDATE events SET body = replace(body, 'words 5', 'words 4') WHERE session_id = '${one}' AND seq = 5`,
    ],
    from: 5,
  },
  "an event is missing in the middle": {
    sql: [`DELETE FROM events WHERE session_id = '${one}' AND seq = 4`],
    from: 4,
  },
  "the newest events are missing": {
    sql: [`DELETE FROM events WHERE session_id = '${one}' AND seq > 8`],
    from: 9,
  },
  "the first event is missing": {
    sql: [`DELETE FROM events WHERE session_id = '${one}' AND seq = 1`],
    from: 1,
  },
  "two events are swapped": {
    sql: [
      `UPDATE events SET seq = -seq WHERE session_id = '${one}' AND seq IN (6, 7)`,
      `UPDATE events SET seq = 13 + seq WHERE session_id = '${one}' AND seq < 0`,
    ],
    from: 6,
  },
  "an event is another session's": {
    sql: [
      `UPDATE events SET (body, chain) = (SELECT body, chain FROM events WHERE session_id = '${two}' AND seq = 3)
       WHERE session_id = '${one}' AND seq = 3`,
    ],
    from: 3,
  },
  "a checksum is another": {
    sql: [
      `UPDATE events SET chain = 'AAAAAAAAAAA' WHERE session_id = '${one}' AND seq = 7`,
    ],
    from: 7,
  },
  "an event is a blob instead of a text": {
    sql: [
      `UPDATE events SET body = CAST(body AS BLOB) WHERE session_id = '${one}' AND seq = 2`,
    ],
    from: 2,
  },
};

for (const [name, { sql, from }] of Object.entries(damages))
  void test(`[STO-2] [STO-3] ${name}: what is before is served, nothing behind it, and the others go on`, async (t) => {
    const { store, path, term } = await spoilt(t, ...sql);
    const damaged = isDamagedFrom(from);
    const expected = append(term, one, 0, EVENTS).events.slice(0, from - 1);
    if (from > 1) assert.deepEqual(await store.events(one, 0, 100), expected);
    await assert.rejects(store.messageStarts(one, EVENTS + 1, 100), damaged);
    assert.equal((await store.messageStarts(one, from, 100)).reached, 1);
    await assert.rejects(store.events(one, from - 1, 100), damaged);
    await assert.rejects(store.load(one, 1), damaged);
    // A reader that comes with a cursor behind the damage is told where it begins, too.
    if (from < EVENTS - 1)
      await assert.rejects(store.events(one, EVENTS - 1, 100), damaged);
    assert.equal((await store.session(one))?.damaged_from, from);
    await refused(store.append(append(term, one, EVENTS)), "session_damaged");

    assert.equal((await store.events(two, 0, 100)).length, EVENTS);
    await store.append(append(term, two, EVENTS));
    assert.equal((await store.session(two))?.damaged_from, null);
    assert.deepEqual(
      (await store.damaged(10)).map(({ id }) => id),
      [one],
    );

    // That is known from then on, before anybody reads it again.
    await store.close();
    const again = await openAt(path);
    const { sessions } = await again.sessions({ limit: 10 });
    assert.equal(sessions.find(({ id }) => id === one)?.damaged_from, from);
    await refused(
      again.append(append(await again.claim(), one, EVENTS)),
      "session_damaged",
    );
  });

void test("[STO-1] an append on an end that is missing is refused, also when nobody has read it", async (t) => {
  const { store, term } = await spoilt(
    t,
    `DELETE FROM events WHERE session_id = '${one}' AND seq = ${EVENTS}`,
  );
  await refused(store.append(append(term, one, EVENTS)), "session_damaged");
});

void test("[STO-2] a long event beside the journal is covered, too", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  const events = [said(one, 1), said(one, 2, "x".repeat(100_000))];
  await store.append(append(await store.claim(), one, 0, 0, { events }));
  spoil(path, "UPDATE blobs SET body = replace(body, 'xxxxx', 'xxxxy')");
  assert.deepEqual(await store.events(one, 0, 10), events.slice(0, 1));
  await assert.rejects(store.messageStarts(one, 3, 10), isDamagedFrom(2));
});

void test("[STO-2] messages begin where the events say, whatever is written beside them", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  const events = [begun(one, 1), said(one, 2), begun(one, 3)];
  await store.append(append(await store.claim(), one, 0, 0, { events }));
  const before = await store.messageStarts(one, 4, 10);
  assert.deepEqual(
    before.starts.map(({ seq }) => seq),
    [3, 1],
  );
  spoil(
    path,
    "UPDATE events SET type = 'session.message.edded' WHERE seq IN (1, 3)",
  );
  assert.deepEqual(await store.messageStarts(one, 4, 10), before);
  spoil(
    path,
    "UPDATE events SET body = replace(body, '\"turn\":1', '\"turn\":3') WHERE seq = 1",
  );
  assert.equal((await store.messageStarts(one, 4, 1)).starts.length, 1);
  await assert.rejects(store.messageStarts(one, 4, 10), isDamagedFrom(1));
  await assert.rejects(store.messageStarts(one, 4, 1), isDamagedFrom(1));
});

void test("[STO-3] a page that is damaged in one journal is no damage in another", async (t) => {
  const path = databasePath(t);
  const before = await openAt(path);
  const term = await before.claim();
  // Longer than a page: what lies beyond it is in pages of its own.
  const events = [said(one, 1), said(one, 2, MARK.repeat(1000))];
  await before.append(append(term, one, 0, 0, { events }));
  await before.append(append(term, two, 0, EVENTS));
  await before.close();
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at += PAGE) {
    const page = bytes.subarray(at, at + PAGE);
    if (page.toString("latin1").split(MARK).length > 200) page.fill(0xee);
  }
  writeFileSync(path, bytes);
  const store = await openAt(path);
  for (let round = 0; round < 3; round += 1) {
    await assert.rejects(store.events(one, 1, 10), isDamagedFrom(2));
    assert.equal((await store.events(two, 0, 100)).length, EVENTS);
    assert.equal(await store.inspect(one), 2);
    await assert.rejects(store.messageStarts(one, 3, 10), isDamagedFrom(2));
    const { reached } = await store.messageStarts(two, EVENTS + 1, 100);
    assert.equal(reached, 1);
  }
  assert.equal((await store.session(two))?.damaged_from, null);
});

void test("[STO-4] a damaged snapshot, and one of another journal, are passed over", async (t) => {
  for (const sql of [
    "UPDATE snapshots SET state = replace(state, '5', '6')",
    "UPDATE snapshots SET seq = 4",
    "UPDATE snapshots SET checksum = 'AAAAAAAAAAA'",
  ]) {
    const path = databasePath(t);
    const store = await openAt(path);
    const snapshot = { version: 1, seq: 5, state: '{"seq":5}' };
    const term = await store.claim();
    await store.append(append(term, one, 0, 5, { snapshot }));
    await store.append(append(term, one, 5));
    assert.deepEqual((await store.load(one, 1))?.snapshot, snapshot);
    spoil(path, sql);
    const loaded = await store.load(one, 1);
    assert.deepEqual(loaded, { snapshot: null, last_seq: 6 }, sql);
  }
});

void test("[STO-5] what follows from no journal is refused where it is damaged", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  const term = await store.claim();
  const receipt = { scope: "tasks", key: "k", request: "r", answer: "{}" };
  await store.putReceipt(term, receipt);
  await store.append(append(term, one, 0, 1, { env: { A: "1" } }));
  spoil(path, "UPDATE receipts SET answer = '[]'");
  spoil(path, "UPDATE session_env SET env = replace(env, '1', '2')");
  await refused(store.receipt("tasks", "k"), "storage_damaged");
  await refused(store.env(one), "storage_damaged");
});

void test("[STO-2] a checkpoint that the index has lost is found in the journal, and one that is damaged is told", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  const term = await store.claim();
  const events = [said(one, 1), captured(one, 2), captured(one, 3)];
  await store.append(append(term, one, 0, 0, { events }));
  spoil(
    path,
    "UPDATE events SET type = 'session.checkpoint.sawed' WHERE seq = 2",
  );
  assert.deepEqual(await store.checkpoints(one), events.slice(1));
  spoil(
    path,
    "UPDATE events SET body = replace(body, '/work', '/mork') WHERE seq = 3",
  );
  assert.deepEqual(await store.checkpoints(one), events.slice(1, 2));
  assert.equal((await store.session(one))?.damaged_from, 3);
});

void test("[STO-8] what was damaged and is sound again goes on once it was read through", async (t) => {
  const { store, path, term } = await spoilt(
    t,
    `UPDATE events SET body = replace(body, 'words 5', 'words 4') WHERE session_id = '${one}' AND seq = 5`,
  );
  assert.equal(await store.inspect(one), 5);
  assert.equal(await store.inspect(two), null);
  spoil(
    path,
    `UPDATE events SET body = replace(body, 'words 4', 'words 5') WHERE session_id = '${one}' AND seq = 5`,
  );
  await refused(store.append(append(term, one, EVENTS)), "session_damaged");
  assert.equal(await store.inspect(one), null);
  assert.equal((await store.session(one))?.damaged_from, null);
  await store.append(append(term, one, EVENTS));
});

void test("[STO-8] a damaged session can be put into the trash and be purged", async (t) => {
  const { store, term } = await spoilt(
    t,
    `DELETE FROM events WHERE session_id = '${one}' AND seq = 2`,
  );
  assert.equal(await store.inspect(one), 2);
  await store.trashDamaged(placeTerm(term), one, at(7));
  const trash = await store.sessions({ limit: 10, deleted: true });
  assert.deepEqual(
    trash.sessions.map(({ id, deleted_at }) => [id, deleted_at]),
    [[one, at(7)]],
  );
  await store.trashDamaged(placeTerm(term), one, null);
  assert.equal((await store.session(one))?.deleted_at, null);
  await store.purge(placeTerm(term), one);
  assert.equal(await store.session(one), null);
  assert.deepEqual(await store.damaged(10), []);
});

const isDamagedFrom = (from: number) => (error: unknown) => {
  assert.ok(error instanceof RepriseError, String(error));
  assert.equal(error.code, "session_damaged", error.message);
  assert.equal(error.damaged_from, from, error.message);
  assert.match(error.message, new RegExp(`from event ${from} on`));
  return true;
};
