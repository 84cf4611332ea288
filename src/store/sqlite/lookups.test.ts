import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { LOCAL } from "../../contract/base/place.ts";
import type { SessionFilter } from "../../runtime/ports/store.ts";
import {
  append,
  placeTerm,
  sessionId,
  sessionView,
  taskId,
} from "../fixtures/conformance/sample.ts";
import { beforeLookups } from "./fixtures/before-lookups.ts";
import { databasePath, openAt } from "./fixtures/place.ts";
import { destroyPage, spoil } from "./fixtures/spoil.ts";
import {
  CHANGED_SESSIONS,
  CHANGED_TASKS,
  changeReads,
  changeWrites,
  REMOVED,
} from "./tables/changes.ts";
import {
  NEWEST_RACES,
  OLDER_RACES,
  RECEIPTS_WITH_KEY,
} from "./tables/receipts.ts";
import { listQuery } from "./tables/sessions.ts";

const plansOf = (path: string) => {
  const db = new DatabaseSync(path);
  return {
    db,
    plan: (sql: string): string =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail))
        .join("\n"),
  };
};

const FILTERS: Record<string, [Omit<SessionFilter, "limit">, RegExp]> = {
  agent: [{ agent: "demo" }, /sessions_by_agent \(agent=\?/],
  "agent in a directory": [
    {
      agent: "demo",
      cwd: { place: LOCAL, path: "/a" },
      order: "wish",
      task_id: null,
      states: ["PAUSED", "RUNNING"],
    },
    /sessions_by_agent_and_directory \(agent=\? AND place=\? AND cwd=\?/,
  ],
  prefix: [{ prefix: "ses_0" }, /sqlite_autoindex_sessions_1 \(id>\?/],
  name: [{ name: "a" }, /sessions_by_name \(name=\?/],
  "resume token": [
    { resume_token: "a" },
    /sessions_by_resume_token \(resume_token=\?/,
  ],
  parent: [{ parent: sessionId(1) }, /sessions_by_parent \(parent=\?/],
  "needs you": [{ needs_you: true }, /sessions_in_need/],
  state: [{ states: ["RUNNING"] }, /sessions_by_state \(state=\?/],
  states: [{ states: ["RUNNING", "PAUSED"] }, /sessions_by_state \(state=\?/],
  trash: [{ deleted: true }, /sessions_in_trash/],
  task: [{ task_id: taskId(1) }, /sessions_by_task \(task_id=\?/],
};

void test("[STO-92] every filter is answered from an index, and what pages are cut of is in order", async (t) => {
  const path = databasePath(t);
  await (await openAt(path)).close();
  const { db, plan } = plansOf(path);
  for (const [name, [filter, index]] of Object.entries(FILTERS))
    for (const from of [null, { at: "a", id: "b" }]) {
      const found = plan(listQuery({ ...filter, from, limit: 2 }).sql);
      assert.match(found, index, name);
      // A partial index has what fits and nothing else.
      const scans = found
        .split("\n")
        .filter((line) => /SCAN sessions/.test(line))
        .filter((line) => !/sessions_in_(need|trash)/.test(line));
      assert.deepEqual(scans, [], name);
      if (["agent", "needs you", "parent", "prefix", "trash"].includes(name))
        assert.doesNotMatch(found, /TEMP B-TREE/, name);
    }
  const order = "wish";
  const wishes = plan(listQuery({ order, from: null, limit: 2 }).sql);
  assert.match(wishes, /sessions_by_last_wish/);
  assert.doesNotMatch(wishes, /TEMP B-TREE/);
  db.close();
});

void test("[STO-92] changes and receipts are found through an index", async (t) => {
  const path = databasePath(t);
  await (await openAt(path)).close();
  const { db, plan } = plansOf(path);
  for (const [sql, index] of [
    [CHANGED_SESSIONS, /sessions_by_change \(changed>\? AND changed<\?\)/],
    [CHANGED_TASKS, /tasks_by_change \(changed>\? AND changed<\?\)/],
    [REMOVED, /PRIMARY KEY \(rowid>\? AND rowid<\?\)/],
    [RECEIPTS_WITH_KEY, /receipts_by_key \(key=\? AND scope>\?\)/],
  ] as const) {
    assert.match(plan(sql), index);
    assert.doesNotMatch(plan(sql), /SCAN/);
  }
  db.close();
});

void test("[STO-100] races are found through an index, by their names alone", async (t) => {
  const path = databasePath(t);
  await (await openAt(path)).close();
  const { db, plan } = plansOf(path);
  for (const sql of [NEWEST_RACES, OLDER_RACES]) {
    assert.match(
      plan(sql),
      /COVERING INDEX sqlite_autoindex_receipts_1 \(scope=\? AND key>\? AND key<\?\)/,
    );
    assert.doesNotMatch(plan(sql), /SCAN receipts/);
  }
  db.close();
});

/** A database as the release before wrote it. */
const olderDatabase = async (path: string, count: number): Promise<void> => {
  const store = await openAt(path);
  const term = await store.claim();
  await Promise.all(
    Array.from({ length: count }, (_, n) => {
      const view = sessionView(sessionId(n), {
        last_seq: 1,
        agent: n % 2 === 0 ? "demo" : "claude",
        name: `name ${n}`,
        metadata: { resume_token: `token ${n}`, last_message_id: null },
        ...(n % 100 === 1 && { state: "ERROR" }),
        ...(n % 200 === 5 && { parent: { session_id: sessionId(1), turn: 1 } }),
      });
      return store.append(append(term, sessionId(n), 0, 1, { view }));
    }),
  );
  await store.close();
  const db = new DatabaseSync(path);
  beforeLookups(db);
  db.exec("VACUUM");
  db.close();
};

void test("[STO-93] [STO-45] sessions of an older release are found by what their view tells, also more than a page", async (t) => {
  const path = databasePath(t);
  await olderDatabase(path, 600);
  const store = await openAt(path);
  const limit = 1000;
  const agent = await store.sessions({ agent: "demo", limit });
  assert.equal(agent.sessions.length, 300);
  const [named] = (await store.sessions({ name: "name 599", limit })).sessions;
  assert.equal(named?.id, sessionId(599));
  const resume_token = "token 7";
  const [told] = (await store.sessions({ resume_token, limit })).sessions;
  assert.equal(told?.id, sessionId(7));
  const needy = await store.sessions({ needs_you: true, limit });
  assert.equal(needy.sessions.length, 6);
  const parent = sessionId(1);
  const forks = await store.sessions({ parent, limit });
  assert.equal(forks.sessions.length, 3);
  // Nothing has changed in them since.
  assert.deepEqual((await store.changes(0, limit)).changes, []);
});

void test("[STO-93] a page that cannot be read does not keep the others from being found", async (t) => {
  const path = databasePath(t);
  await olderDatabase(path, 200);
  destroyPage(path, `"id":"${sessionId(100)}"`, `"on_interrupt"`);
  const store = await openAt(path, { onDamage: () => undefined });
  assert.equal((await store.session(sessionId(1)))?.name, "name 1");
  const found = await store.sessions({ prefix: sessionId(199), limit: 9 });
  assert.equal(found.sessions.length, 1);
});

void test("[STO-92] what a session is found by is what it shows", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  const term = await store.claim();
  await store.append(append(term, sessionId(1), 0));
  spoil(path, "UPDATE sessions SET name = 'x' WHERE id = ?", sessionId(1));
  const { sessions } = await store.sessions({ name: "x", limit: 9 });
  assert.deepEqual(sessions, []);
  assert.equal((await store.sessions({ limit: 9 })).sessions.length, 1);
});

void test("[STO-90] so many removals are remembered, and whoever saw none of the others is told so", async (t) => {
  const path = databasePath(t);
  await (await openAt(path)).close();
  const db = new DatabaseSync(path);
  const writes = changeWrites(db, 2);
  for (const n of [1, 2, 3, 4]) writes.removed(sessionId(n));
  const read = changeReads(db).after({ after: 0, limit: 9 });
  assert.deepEqual([read.last, read.forgotten], [4, 2]);
  assert.deepEqual(
    read.rows.map(({ id }) => id),
    [sessionId(3), sessionId(4)],
  );
  db.close();
  const store = await openAt(path);
  assert.equal((await store.changes(1, 9)).isReset, true);
  assert.equal((await store.changes(2, 9)).isReset, false);
  await store.purge(placeTerm(await store.claim()), sessionId(9));
});
