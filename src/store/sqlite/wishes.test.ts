import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Event } from "../../contract/event/event.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { LOCAL } from "../../contract/base/place.ts";
import { chainAfter, chainStart, rowChecksum } from "../checksum.ts";
import {
  at,
  promptId,
  queued,
  said,
  sessionId,
  sessionView,
} from "../fixtures/conformance/sample.ts";
import { OldDatabase } from "./fixtures/old-database.ts";
import { databasePath, openAt } from "./fixtures/place.ts";
import { migrate } from "./opening/migrate.ts";
import { migrations } from "./opening/migrations/list.ts";
import { listQuery } from "./tables/sessions.ts";

const [one, two, three] = [sessionId(1), sessionId(2), sessionId(3)];

/** Asked for something at its second event, active long after. */
const story = (id: SessionId, wish: number): Event[] => [
  said(id, 1),
  { ...queued(id, 2, promptId(wish), "go"), at: at(wish) },
  { ...said(id, 3), at: at(90) },
];

const byWish = async (path: string): Promise<[string, string][]> => {
  const store = await openAt(path);
  const { sessions } = await store.sessions({ limit: 9, order: "wish" });
  await store.close();
  return sessions.map(({ id, last_wish_at }) => [id, last_wish_at]);
};

test("[SES-60] sessions of a release without checksums get their last wish", async (t) => {
  const path = databasePath(t);
  const old = new OldDatabase(path);
  for (const [id, wish] of [
    [one, 8],
    [two, 7],
  ] as const) {
    old.session(id, story(id, wish));
    old.run(
      "INSERT INTO prompts VALUES (?, ?, 1, 'done', 'go')",
      promptId(wish),
      id,
    );
  }
  old.close();
  assert.deepEqual(await byWish(path), [
    [one, at(8)],
    [two, at(7)],
  ]);
});

test("[SES-60] [STO-4] sessions with checksums get their last wish, and what was damaged is not made to look sound", async (t) => {
  const path = databasePath(t);
  const db = new DatabaseSync(path);
  migrate(db, migrations.slice(0, 3), at(0));
  db.exec("DROP TABLE prompts_unsealed; DROP INDEX sessions_unsealed");
  for (const [id, wish] of [
    [one, 8],
    [two, 7],
    [three, 6],
  ] as const)
    insert(db, id, story(id, wish));
  db.prepare("UPDATE sessions SET state = 'RUNNING' WHERE id = ?").run(three);
  db.close();
  // Nobody says here how rows are made again, so a damaged one is left out.
  assert.deepEqual(await byWish(path), [
    [one, at(8)],
    [two, at(7)],
  ]);
});

test("[SES-60] the latest session of a directory is found through an index", async (t) => {
  const path = databasePath(t);
  await (await openAt(path)).close();
  const db = new DatabaseSync(path);
  const { sql, values } = listQuery({
    cwd: { place: LOCAL, path: "/work" },
    order: "wish",
    states: ["PAUSED"],
    from: null,
    limit: 2,
  });
  const plan = db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...values)
    .map(({ detail }) => String(detail));
  db.close();
  assert.match(
    plan[0] ?? "",
    /USING INDEX sessions_by_directory \(place=\? AND cwd=\?\)/,
  );
  assert.ok(!plan.some((line) => line.includes("TEMP B-TREE")), plan.join());
});

/** A session as the release wrote it that had checksums and knew no wishes. */
const insert = (db: DatabaseSync, id: SessionId, events: readonly Event[]) => {
  const { last_wish_at: _, ...view } = sessionView(id, {
    last_seq: events.length,
    last_active_at: at(90),
  });
  const bodies = events.map((event) => JSON.stringify(event));
  const head = bodies.reduce(chainAfter, chainStart(id));
  const row = {
    id,
    task_id: null,
    cwd: view.cwd,
    state: view.state,
    deleted_at: null,
    last_active_at: view.last_active_at,
    last_seq: events.length,
    view: JSON.stringify(view),
    head,
    checkpoints: 0,
    damaged_from: null,
  };
  const values = Object.values(row);
  db.prepare(
    `INSERT INTO sessions (${Object.keys(row).join(", ")}, checksum) VALUES (${"?, ".repeat(values.length)}?)`,
  ).run(...values, rowChecksum(...values));
  let chain = chainStart(id);
  for (const [i, event] of events.entries()) {
    chain = chainAfter(chain, bodies[i] ?? "");
    db.prepare(
      "INSERT INTO events (session_id, seq, type, at, body, chain) VALUES (?, ?, ?, ?, ?, ?)",
    ).run(id, event.seq, event.type, event.at, bodies[i] ?? "", chain);
  }
};
