import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { append, at, sessionId } from "../fixtures/conformance/sample.ts";
import { spoil } from "./fixtures/spoil.ts";
import { openSqliteStore } from "./store.ts";
import { DUE_DELIVERIES, NEXT_DELIVERY } from "./tables/webhooks/deliveries.ts";

const databasePath = (t: TestContext): string => {
  const directory = mkdtempSync(join(tmpdir(), "reprise-store-"));
  t.after(() => rmSync(directory, { recursive: true }));
  return join(directory, "reprise.db");
};

const noticed = (term: number, n: number) =>
  append(term, sessionId(n), 0, 1, {
    outbox: [{ channel: "ci", from_seq: 1, to_seq: 1, at: at(n) }],
  });

void test("[STO-75] what is due is found by an index, and so is the time of the next", async (t) => {
  const path = databasePath(t);
  await (await openSqliteStore({ path })).close();
  const db = new DatabaseSync(path);
  for (const sql of [DUE_DELIVERIES, NEXT_DELIVERY]) {
    const plan = db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
      .join();
    assert.match(plan, /webhook_deliveries_due \(channel=\? AND next_at/);
    assert.doesNotMatch(plan, /TEMP B-TREE/);
  }
  db.close();
});

void test("[STO-76] rows that cannot be read are left out and end no list", async (t) => {
  const path = databasePath(t);
  const store = await openSqliteStore({ path });
  t.after(() => store.close());
  const term = await store.claim();
  for (const n of [1, 2, 3, 4]) await store.append(noticed(term, n));
  const of = (n: number) => `WHERE subject = '${sessionId(n)}'`;
  const table = "UPDATE webhook_deliveries SET";
  spoil(path, `${table} subject = subject || '!' ${of(1)}`);
  spoil(path, `${table} after_seq = 'many' ${of(2)}`);
  spoil(path, `${table} last = '{' ${of(3)}`);
  const due = await store.dueDeliveries("ci", at(9), 9);
  assert.deepEqual(
    due.map(({ subject, last }) => [subject, last]),
    [
      [sessionId(3), null],
      [sessionId(4), null],
    ],
  );
  const all = await store.deliveries({ channel: null, limit: 9 });
  assert.equal(all.length, 2);
});

void test("[STO-73] what was noted is there when the database is opened again, as long as its session is", async (t) => {
  const path = databasePath(t);
  const before = await openSqliteStore({ path });
  await before.append(noticed(await before.claim(), 1));
  await before.close();
  const store = await openSqliteStore({ path });
  t.after(() => store.close());
  const [row] = await store.dueDeliveries("ci", at(9), 9);
  assert.equal(row?.subject, sessionId(1));
});
