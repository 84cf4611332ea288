import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { EventOf } from "../../../contract/event/event.ts";
import { LOCAL } from "../../../contract/base/place.ts";
import type { NeededBySession, Store } from "../../../runtime/ports/store.ts";
import {
  append,
  captured,
  said,
  sessionId,
  sessionView,
} from "../../fixtures/conformance/sample.ts";
import { allNeeded } from "../../fixtures/conformance/rule.ts";
import { neededBy } from "../../stored.ts";
import { beforePlaces } from "../fixtures/before-places.ts";
import { databasePath, openAt } from "../fixtures/place.ts";
import { spoil } from "../fixtures/spoil.ts";
import { NEEDED_SESSIONS } from "./needed.ts";

const [one, two] = [sessionId(1), sessionId(2)];

const events = [said(one, 1), captured(one, 2), captured(one, 3)];
const others = [captured(two, 1)];

/** Two sessions with checkpoints. */
const fill = async (store: Store): Promise<void> => {
  const term = await store.claim();
  const view = sessionView(one, { last_seq: 3 });
  await store.append(append(term, one, 0, 0, { events, view }));
  await store.append(append(term, two, 0, 0, { events: others }));
};

const here = (event: EventOf<"session.checkpoint.saved">) =>
  neededBy(event, LOCAL);

const all: NeededBySession[] = [
  {
    session_id: one,
    place: LOCAL,
    checkpoints: [captured(one, 2), captured(one, 3)].map(here),
    isIncomplete: false,
  },
  {
    session_id: two,
    place: LOCAL,
    checkpoints: [captured(two, 1)].map(here),
    isIncomplete: false,
  },
];

const bySession = (found: typeof all): typeof all =>
  found.toSorted((a, b) => (a.session_id < b.session_id ? -1 : 1));

for (const [what, sql] of Object.entries({
  "is changed": "UPDATE checkpoints SET tree = 'x' WHERE seq = 2",
  "is lost": "DELETE FROM checkpoints WHERE seq = 2",
  "is moved": "UPDATE checkpoints SET seq = 7 WHERE seq = 2",
  "names another place":
    "UPDATE checkpoints SET place = 'remote/far' WHERE seq = 2",
  "names no place": "UPDATE checkpoints SET place = NULL WHERE seq = 2",
}))
  test(`[STO-46] a row that ${what} is not served: the journal tells`, async (t) => {
    const path = databasePath(t);
    const store = await openAt(path);
    await fill(store);
    assert.equal(spoil(path, sql), 1);
    assert.deepEqual(bySession(await allNeeded(store)), all);
    // The journal cannot tell either.
    spoil(
      path,
      "UPDATE events SET body = replace(body, '/work', '/mork') WHERE session_id = ? AND seq = 3",
      one,
    );
    const [first, second] = bySession(await allNeeded(store));
    assert.equal(first?.isIncomplete, true);
    assert.deepEqual(first.checkpoints, [here(captured(one, 2))]);
    assert.deepEqual(second, all[1]);
  });

test("[STO-46] [P8] what is needed is known although the journal or the row of the session is damaged", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  await fill(store);
  spoil(path, "UPDATE events SET body = '{}' WHERE session_id = ?", one);
  spoil(path, "DELETE FROM sessions WHERE id = ?", two);
  assert.deepEqual(await allNeeded(store), all);
  assert.equal(await store.inspect(one), 1);
  assert.deepEqual(await allNeeded(store), all);
});

test("[STO-45] [STO-46] sessions of an older release get their rows, and a damaged one none", async (t) => {
  const path = databasePath(t);
  const before = await openAt(path);
  await fill(before);
  await before.close();
  spoil(
    path,
    "UPDATE events SET body = replace(body, '/work', '/mork') WHERE session_id = ? AND seq = 3",
    one,
  );
  const db = new DatabaseSync(path);
  beforePlaces(db);
  db.exec("DROP TABLE checkpoints");
  db.exec("DELETE FROM migrations WHERE name >= '0006'");
  db.close();
  const store = await openAt(path);
  const made = new DatabaseSync(path);
  const rows = made.prepare("SELECT session_id, seq FROM checkpoints").all();
  made.close();
  assert.deepEqual(
    rows.map(({ session_id, seq }) => [session_id, seq]),
    [[two, 1]],
  );
  const [first, second] = bySession(await allNeeded(store));
  assert.equal(first?.isIncomplete, true);
  assert.deepEqual(second, all[1]);
});

test("[STO-46] sessions with checkpoints are paged through by indexes", async (t) => {
  const path = databasePath(t);
  await (await openAt(path)).close();
  const db = new DatabaseSync(path);
  const plan = db
    .prepare(`EXPLAIN QUERY PLAN ${NEEDED_SESSIONS}`)
    .all()
    .map(({ detail }) => String(detail))
    .join();
  db.close();
  assert.match(plan, /MERGE \(UNION\)/);
  assert.doesNotMatch(plan, /SCAN|TEMP B-TREE/);
});
