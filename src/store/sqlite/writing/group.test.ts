import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import {
  append,
  promptId,
  sessionId,
} from "../../fixtures/conformance/sample.ts";
import type { Request } from "../../../kit/worker-rpc/messages.ts";
import type { Answer } from "../base/calls.ts";
import { openForWriting } from "../base/connection.ts";
import { groupCommit } from "./group.ts";
import { migrate } from "../opening/migrate.ts";
import { migrations } from "../opening/migrations/list.ts";
import { databasePath, openAt } from "../fixtures/place.ts";
import { commitsInLog } from "../fixtures/write-ahead-log.ts";
import { rowsOf } from "../tables/append.ts";
import type { Writes } from "./writes.ts";

void test("appends that wait together are committed together", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  const term = await store.claim();
  const before = commitsInLog(path);
  const appends = Array.from({ length: 100 }, (_, n) =>
    store.append(append(term, sessionId(n), 0)),
  );
  await Promise.all(appends);
  assert.equal(commitsInLog(path) - before, 1);

  // Those that come while a commit is under way wait for the next one, all together.
  const sessions = Array.from({ length: 30 }, (_, n) => sessionId(n));
  await Promise.all(
    sessions.map(async (id) => {
      for (let after = 1; after < 6; after += 1)
        await store.append(append(term, id, after));
    }),
  );
  const commits = commitsInLog(path) - before - 1;
  assert.ok(commits <= 15, `150 appends took ${commits} commits`);
});

void test("an append that stands alone is committed alone", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  const term = await store.claim();
  const before = commitsInLog(path);
  for (let after = 0; after < 5; after += 1)
    await store.append(append(term, sessionId(1), after));
  assert.equal(commitsInLog(path) - before, 5);
});

void test("an accident in a group hits only the write that caused it", (t) => {
  const { commit, db } = writer(t);
  const orphan = {
    prompts: [{ id: promptId(1), state: "done" as const, turn: 1 }],
  };
  const answers = commit([
    write(1, 0),
    write(2, 0, 1, orphan),
    write(1, 1),
    write(3, 0),
  ]);
  assert.deepEqual(answers.map(codeOf), [null, "internal", null, null]);
  assert.deepEqual(
    db
      .prepare("SELECT id, last_seq FROM sessions ORDER BY id")
      .all()
      .map(Object.values),
    [
      [sessionId(1), 2],
      [sessionId(3), 1],
    ],
  );
});

void test("a full disk refuses what does not fit, keeps what was acknowledged and goes on when there is room", (t) => {
  const { commit, db } = writer(t);
  assert.deepEqual(commit([write(1, 0)]).map(codeOf), [null]);
  const pages = Number(db.prepare("PRAGMA page_count").get()?.["page_count"]);
  db.exec(`PRAGMA max_page_count = ${pages + 20}`);
  const answers = commit([write(2, 0), write(3, 0, 5000), write(4, 0)]);
  assert.deepEqual(answers.map(codeOf), [null, "storage_full", null]);
  assert.equal(db.isTransaction, false);
  db.exec("PRAGMA max_page_count = 1000000");
  const later = commit([write(3, 0, 5000), write(1, 1)]);
  assert.deepEqual(later.map(codeOf), [null, null]);
  const count = db.prepare("SELECT count(*) AS n FROM events").get();
  assert.equal(count?.["n"], 5004);
});

void test("a database held by another process is reported for the whole group", (t) => {
  const { commit, db, path } = writer(t);
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  db.exec("PRAGMA busy_timeout = 0");
  other.exec("BEGIN IMMEDIATE");
  const answers = commit([write(1, 0), write(2, 0)]);
  const busy = "storage_unavailable";
  assert.deepEqual(answers.map(codeOf), [busy, busy]);
  other.exec("ROLLBACK");
  assert.deepEqual(commit([write(1, 0)]).map(codeOf), [null]);
});

void test("a payload over 64 KiB is kept once, beside the journal", (t) => {
  const { commit, db } = writer(t);
  const rows = rowsOf(append(1, sessionId(1), 0, 3));
  const body = JSON.stringify("x".repeat(70_000));
  const events = rows.events.map((event, i) =>
    i < 2 ? { ...event, body } : event,
  );
  const answers = commit([
    { id: 0, kind: "append", query: { ...rows, events } },
  ]);
  assert.deepEqual(answers.map(codeOf), [null]);
  const counted = (sql: string) => db.prepare(sql).get()?.["n"];
  assert.equal(counted("SELECT count(*) AS n FROM blobs"), 1);
  assert.equal(
    counted("SELECT count(*) AS n FROM events WHERE blob IS NOT NULL"),
    2,
  );
});

/** The writer without its thread, so that a test can reach its connection. Term 1 is claimed. */
const writer = (t: Parameters<typeof databasePath>[0]) => {
  const path = databasePath(t);
  const db = openForWriting(path);
  t.after(() => db.close());
  migrate(db, migrations, "2026-01-01T00:00:00.000Z");
  const commit = groupCommit(db, path);
  commit([{ id: 0, kind: "claim", query: 0 }]);
  return { path, db, commit };
};

const write = (
  session: number,
  after: number,
  count = 1,
  more: Parameters<typeof append>[4] = {},
): Request<Writes> => ({
  id: session,
  kind: "append",
  query: rowsOf(append(1, sessionId(session), after, count, more)),
});

const codeOf = (answer: Answer): string | null =>
  "failure" in answer ? answer.failure.code : null;
