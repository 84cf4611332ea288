import assert from "node:assert/strict";
import {
  closeSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { ProblemCode } from "../../contract/problem/problem.ts";
import { append, sessionId } from "../fixtures/conformance/sample.ts";
import { migrate } from "./opening/migrate.ts";
import { openSqliteStore } from "./store.ts";
import { databasePath, openAt } from "./fixtures/place.ts";

const refusedWith = (code: ProblemCode, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Error && "code" in error);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, words);
  return true;
};

void test("the database and the files beside it are for their owner only", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  await store.claim();
  for (const file of [path, `${path}-wal`, `${path}-shm`])
    assert.equal(statSync(file).mode & 0o777, 0o600, file);
});

void test("the schema is brought up to date once, and said", async (t) => {
  const path = databasePath(t);
  const said: object[] = [];
  const log = {
    info: (facts: object) => said.push(facts),
    warn: () => {},
    error: () => {},
  };
  await (await openSqliteStore({ path, log })).close();
  await (await openSqliteStore({ path, log })).close();
  assert.deepEqual(said, [
    {
      path,
      migrated: [
        "0001-journal",
        "0002-checkpoints",
        "0003-checksums",
        "0004-wishes",
        "0005-live-and-due",
        "0006-checkpoints",
        "0007-snapshot-versions",
        "0008-places",
        "0009-sweeps",
        "0010-tasks",
        "0011-webhooks",
        "0012-lookups",
        "0013-lines",
      ],
    },
  ]);
});

void test("a database of a newer release is refused and left as it is", async (t) => {
  const path = databasePath(t);
  const store = await openSqliteStore({ path });
  await store.append(append(await store.claim(), sessionId(1), 0));
  await store.close();
  const db = new DatabaseSync(path);
  db.exec("INSERT INTO migrations VALUES ('9999-later', '2030-01-01')");
  db.close();
  await assert.rejects(
    openSqliteStore({ path }),
    refusedWith("storage_unavailable", /newer release.*9999-later/),
  );
  const after = new DatabaseSync(path);
  after.exec("DELETE FROM migrations WHERE name = '9999-later'");
  after.close();
  const again = await openAt(path);
  assert.equal((await again.events(sessionId(1), 0, 10)).length, 1);
});

void test("a migration that fails leaves nothing of itself", (t) => {
  const db = new DatabaseSync(databasePath(t));
  t.after(() => db.close());
  const good = { name: "1", sql: "CREATE TABLE a (x)" };
  const bad = { name: "2", sql: "CREATE TABLE b (x); CREATE TABLE a (x)" };
  assert.deepEqual(migrate(db, [good], "now"), ["1"]);
  assert.throws(() => migrate(db, [good, bad], "now"), /already exists/);
  assert.throws(() => db.prepare("SELECT * FROM b"), /no such table/);
  const better = { name: "2", sql: "CREATE TABLE b (x)" };
  assert.deepEqual(migrate(db, [good, better], "now"), ["2"]);
});

void test("a directory that cannot be written is named, with what to do", async (t) => {
  const directory = join(dirname(databasePath(t)), "read-only");
  mkdirSync(directory, { mode: 0o500 });
  // The superuser may write anywhere but into the kernel's own file system.
  const place = process.getuid?.() === 0 ? "/sys" : directory;
  await assert.rejects(
    openSqliteStore({ path: join(place, "reprise.db") }),
    refusedWith(
      "storage_unavailable",
      /its directory must exist and be writable/,
    ),
  );
});

void test("a directory that does not exist is named", async (t) => {
  const path = join(dirname(databasePath(t)), "missing", "reprise.db");
  await assert.rejects(
    openSqliteStore({ path }),
    refusedWith("storage_unavailable", /missing.*its directory must exist/),
  );
});

void test("a file that is no database is refused and left as it is", async (t) => {
  const path = databasePath(t);
  writeFileSync(path, "these are not the pages you look for\n".repeat(500));
  await assert.rejects(
    openSqliteStore({ path }),
    refusedWith("storage_damaged", /damaged.*restore a backup/),
  );
  assert.equal(statSync(path).size, 37 * 500);
});

void test("a damaged page is reported by the read or write that meets it; the rest goes on", async (t) => {
  const path = databasePath(t);
  const store = await openSqliteStore({ path });
  const term = await store.claim();
  await store.append(append(term, sessionId(1), 0, 500));
  await store.close();
  damageTable(path, "events");

  const again = await openAt(path);
  const next = await again.claim();
  await assert.rejects(
    again.events(sessionId(1), 0, 500),
    refusedWith("session_damaged", /damaged from event 1 on/),
  );
  assert.equal((await again.session(sessionId(1)))?.id, sessionId(1));
  await assert.rejects(
    again.append(append(next, sessionId(1), 500)),
    refusedWith("session_damaged", /damaged/),
  );
  await assert.rejects(
    again.append(append(next, sessionId(2), 0)),
    refusedWith("storage_damaged", /damaged.*restore a backup/),
  );
});

/** Overwrites the root page of a table. */
const damageTable = (path: string, table: string): void => {
  const db = new DatabaseSync(path);
  const row = db
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?")
    .get(table);
  const size = db.prepare("PRAGMA page_size").get()?.["page_size"];
  db.close();
  const page = Number(row?.["rootpage"]);
  const file = openSync(path, "r+");
  writeSync(
    file,
    Buffer.alloc(Number(size), 0xee),
    0,
    Number(size),
    (page - 1) * Number(size),
  );
  closeSync(file);
};
