import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { LOCAL } from "../../contract/base/place.ts";
import {
  append,
  captured,
  sessionId,
  sessionView,
} from "../fixtures/conformance/sample.ts";
import { allNeeded } from "../fixtures/conformance/rule.ts";
import { beforePlaces } from "./fixtures/before-places.ts";
import { databasePath, openAt } from "./fixtures/place.ts";
import { destroyPage, spoil } from "./fixtures/spoil.ts";
import { listQuery, PLACES } from "./tables/sessions.ts";

const FAR = { kind: "remote", id: "far" };
const limit = 5000;

/** A database as the release before wrote it; every tenth session names another place. */
const olderDatabase = async (path: string, count: number): Promise<void> => {
  const store = await openAt(path);
  const term = await store.claim();
  await Promise.all(
    Array.from({ length: count }, (_, n) => {
      const id = sessionId(n + 1);
      const view = sessionView(id, {
        cwd: "/a",
        last_seq: 1,
        ...((n + 1) % 10 === 0 && { place: FAR }),
      });
      const events = [captured(id, 1)];
      return store.append(append(term, id, 0, 0, { events, view }));
    }),
  );
  await store.close();
  const db = new DatabaseSync(path);
  // Older views named no place.
  db.exec(
    "UPDATE sessions SET view = json_remove(view, '$.place') WHERE view ->> '$.place.id' = 'local'",
  );
  beforePlaces(db);
  db.close();
};

const counts = async (path: string): Promise<[number, number]> => {
  const told: string[] = [];
  const store = await openAt(path, { onDamage: (words) => told.push(words) });
  const at = async (place: typeof FAR) => {
    const filter = { limit, cwd: { place, path: "/a" } };
    return (await store.sessions(filter)).sessions.length;
  };
  const found: [number, number] = [await at({ ...LOCAL }), await at(FAR)];
  await store.close();
  return found;
};

test("[STO-57] [STO-45] sessions of an older release get the place that their view tells, also more than a page", async (t) => {
  const path = databasePath(t);
  await olderDatabase(path, 1200);
  assert.deepEqual(await counts(path), [1080, 120]);
  const store = await openAt(path);
  assert.deepEqual(await store.places(), [FAR, LOCAL]);
  assert.deepEqual((await store.session(sessionId(1)))?.place, LOCAL);
  assert.deepEqual((await store.session(sessionId(10)))?.place, FAR);
  // Their checkpoints were made when there was no other place than this machine.
  const needed = await allNeeded(store);
  assert.equal(needed.length, 1200);
  assert.ok(needed.every(({ isIncomplete }) => !isIncomplete));
  assert.deepEqual(needed[0]?.checkpoints[0]?.place, LOCAL);
});

test("[STO-57] [STO-45] a server that is killed meanwhile goes on where it was", async (t) => {
  const path = databasePath(t);
  await olderDatabase(path, 1100);
  const program = join(import.meta.dirname, "fixtures/open-once.ts");
  const { signal } = spawnSync(process.execPath, [program, path], {
    env: { ...process.env, REPRISE_CRASH_AT: "store.after-commit:3" },
  });
  assert.equal(signal, "SIGKILL");
  const db = new DatabaseSync(path);
  const [row] = db.prepare("SELECT migration, after_id FROM unfilled").all();
  db.close();
  assert.deepEqual(
    { ...row },
    { migration: "0008-places", after_id: sessionId(1000) },
  );
  assert.deepEqual(await counts(path), [990, 110]);
});

test("[STO-57] a row that was damaged already is not made to look sound, and the others go on", async (t) => {
  const path = databasePath(t);
  await olderDatabase(path, 20);
  spoil(
    path,
    "UPDATE sessions SET state = 'RUNNING' WHERE id = ?",
    sessionId(7),
  );
  spoil(path, "UPDATE sessions SET view = x'00' WHERE id = ?", sessionId(8));
  // Nobody says here how rows are made again, so a damaged one is left out.
  assert.deepEqual(await counts(path), [16, 2]);
});

test("[STO-57] a page that cannot be read does not keep the database from being opened, and the index is made when it can be", async (t) => {
  const path = databasePath(t);
  await olderDatabase(path, 200);
  const whole = await readFile(path);
  destroyPage(path, `"id":"${sessionId(100)}"`, `"on_interrupt"`);
  const damaged = await openAt(path, { onDamage: () => undefined });
  assert.deepEqual(await damaged.places(), [FAR, LOCAL]);
  assert.deepEqual((await damaged.session(sessionId(1)))?.place, LOCAL);
  assert.deepEqual((await damaged.session(sessionId(200)))?.place, FAR);
  await damaged.close();
  assert.equal(hasIndex(path), false);
  await rm(`${path}-wal`, { force: true });
  await writeFile(path, whole);
  assert.deepEqual(await counts(path), [180, 20]);
  assert.equal(hasIndex(path), true);
});

const hasIndex = (path: string): boolean => {
  const db = new DatabaseSync(path);
  const found = db
    .prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sessions_by_directory'")
    .get();
  db.close();
  return found !== undefined;
};

test("[STO-54] [STO-56] directories and places are found through an index", async (t) => {
  const path = databasePath(t);
  await (await openAt(path)).close();
  const db = new DatabaseSync(path);
  const plan = (sql: string): string =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
      .join("\n");
  const near = { place: LOCAL, path: "/a/b" };
  const { sql } = listQuery({ near, from: null, limit: 2 });
  const [list, places] = [plan(sql), plan(PLACES)];
  db.close();
  assert.match(list, /sessions_by_directory \(place=\? AND cwd=\?\)/);
  assert.match(
    list,
    /sessions_by_directory \(place=\? AND cwd>\? AND cwd<\?\)/,
  );
  assert.match(
    places,
    /SEARCH sessions USING COVERING INDEX sessions_by_directory \(place>\?\)/,
  );
  assert.doesNotMatch(places, /SCAN sessions/);
});
