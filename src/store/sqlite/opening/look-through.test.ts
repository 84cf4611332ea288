import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { append, sessionId } from "../../fixtures/conformance/sample.ts";
import { databasePath, openAt } from "../fixtures/place.ts";
import { lookLater } from "../look-later.ts";

/** A database in which the index of sessions by their activity has lost all of them. */
const withoutIndex = async (
  t: Parameters<typeof databasePath>[0],
): Promise<string> => {
  const path = databasePath(t);
  const store = await openAt(path);
  const term = await store.claim();
  for (const n of [1, 2, 3]) await store.append(append(term, sessionId(n), 0));
  await store.close();
  // The index of sessions by their task is empty, and takes its place.
  const db = new DatabaseSync(path, { defensive: false });
  const names = ["sessions_by_activity", "sessions_by_task"];
  const roots = names.map((name) => {
    const sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?";
    return Number(db.prepare(sql).get(name)?.["rootpage"]);
  });
  db.exec("PRAGMA writable_schema = ON");
  for (const [i, root] of roots.toReversed().entries())
    db.prepare("UPDATE sqlite_schema SET rootpage = ? WHERE name = ?").run(
      root,
      names[i] ?? "",
    );
  db.close();
  return path;
};

void test("[STO-6] an index that has lost what it led to is told when the database is opened", async (t) => {
  const path = await withoutIndex(t);
  const told: string[] = [];
  const store = await openAt(path, { onDamage: (words) => told.push(words) });
  // Nothing in the rows tells it: they are just not found.
  assert.deepEqual((await store.sessions({ limit: 10 })).sessions, []);
  assert.equal(told.length, 1);
  assert.match(
    told.join(),
    /is damaged \(.*sessions_by_activity.*restore a backup/,
  );
});

void test("[STO-6] a large database is looked through beside everything else", async (t) => {
  const told: string[] = [];
  const look = lookLater(await withoutIndex(t), (found) => told.push(found));
  await look.over;
  assert.match(told.join(), /sessions_by_activity/);

  const sound = databasePath(t);
  await (await openAt(sound)).close();
  await lookLater(sound, (found) => told.push(found)).over;
  assert.equal(told.length, 1);
  await lookLater(sound, (found) => told.push(found)).stop();
});
