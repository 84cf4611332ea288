import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { EventOf } from "../../../contract/event/event.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import type { Session } from "../../../contract/session/session.ts";
import {
  append,
  at,
  executionId,
  executorRow,
  promptId,
  said,
  sessionId,
  sessionView,
} from "../../fixtures/conformance/sample.ts";
import { DUE, LIVE } from "./attention.ts";
import { beforePlaces } from "../fixtures/before-places.ts";
import { databasePath, openAt } from "../fixtures/place.ts";
import { destroyPage, spoil } from "../fixtures/spoil.ts";

/** A turn that a quota cut off. */
const interrupted = (
  session_id: SessionId,
  seq: number,
  resets_at: string | null,
): EventOf<"session.turn.interrupted"> => ({
  type: "session.turn.interrupted",
  seq,
  at: at(seq),
  session_id,
  task_id: null,
  data: {
    turn: 1,
    prompt_id: promptId(1),
    reason: "quota",
    limit: { resets_at },
  },
});

interface Row {
  status?: "starting" | "ready" | "error" | "stopped";
  resets_at?: string;
  view?: Partial<Session>;
}

/** A database as the release before wrote it. */
const olderDatabase = async (
  path: string,
  rows: readonly Row[],
): Promise<void> => {
  const store = await openAt(path);
  const term = await store.claim();
  for (const [n, { status, resets_at = null, view }] of rows.entries()) {
    const id = sessionId(n + 1);
    await store.append(
      append(term, id, 0, 0, {
        events: [said(id, 1), interrupted(id, 2, resets_at), said(id, 3)],
        view: sessionView(id, { last_seq: 3, ...view }),
        executor:
          status === undefined
            ? null
            : executorRow(id, { id: executionId(n + 1), status }),
      }),
    );
  }
  await store.close();
  const db = new DatabaseSync(path);
  beforePlaces(db);
  db.exec("DROP TABLE attention; DROP TABLE unfilled; DROP TABLE checkpoints");
  db.exec("DELETE FROM migrations WHERE name >= '0005'");
  db.close();
};

const found = async (path: string) => {
  const store = await openAt(path);
  const live = await store.live(null, 5000);
  const due = await store.due(at(9999), null, 10);
  return { live, due };
};

const waits: Row["view"] = { on_interrupt: "continue", state: "PAUSED" };

test("[REC-55] [REC-56] sessions of an older release that may live or wait for a time are found", async (t) => {
  const path = databasePath(t);
  await olderDatabase(path, [
    {},
    { status: "stopped" },
    { status: "ready" },
    { status: "starting", resets_at: "2026-01-01T00:10:00Z", view: waits },
    { status: "error" },
    { status: "error", view: { agent_execution_id: executionId(6) } },
    { view: { state: "STARTING" } },
    // The user decides about it.
    { status: "starting", resets_at: at(600) },
    // The time had come already.
    { status: "starting", resets_at: at(1), view: waits },
    { status: "stopped", view: { on_interrupt: "continue" } },
  ]);
  assert.deepEqual(await found(path), {
    live: [3, 4, 6, 7, 8, 9].map(sessionId),
    due: [{ session_id: sessionId(4), due_at: at(600) }],
  });
});

test("[STO-45] more sessions than a page holds are all looked at, and a damaged one keeps nobody else from it", async (t) => {
  const path = databasePath(t);
  const all = Array.from({ length: 1203 }, (): Row => ({ status: "ready" }));
  await olderDatabase(path, all);
  const damaged = sessionId(700);
  // A number where text belongs, and a row that says that the journal is damaged.
  spoil(
    path,
    "UPDATE executors_running SET status = 'error' WHERE session_id = ?",
    damaged,
  );
  spoil(path, "UPDATE sessions SET view = x'00' WHERE id = ?", damaged);
  spoil(
    path,
    "UPDATE sessions SET damaged_from = 2 WHERE id = ?",
    sessionId(701),
  );
  const { live } = await found(path);
  assert.equal(live.length, 1202);
  assert.ok(!live.includes(damaged));
  const db = new DatabaseSync(path);
  const marked = db
    .prepare("SELECT id FROM sessions WHERE damaged_from IS NOT NULL")
    .all()
    .map(({ id }) => id);
  db.close();
  assert.deepEqual(marked, [sessionId(701)]);
});

test("[STO-45] a server that is killed meanwhile goes on where it was", async (t) => {
  const path = databasePath(t);
  const all = Array.from({ length: 1100 }, (): Row => ({ status: "ready" }));
  await olderDatabase(path, all);
  const program = join(import.meta.dirname, "../fixtures/open-once.ts");
  const { signal } = spawnSync(process.execPath, [program, path], {
    env: { ...process.env, REPRISE_CRASH_AT: "store.after-commit:3" },
  });
  assert.equal(signal, "SIGKILL");
  const db = new DatabaseSync(path);
  const { made } = db
    .prepare("SELECT count(*) AS made FROM attention")
    .get() ?? { made: 0 };
  db.close();
  assert.equal(made, 1000);
  assert.equal((await found(path)).live.length, 1100);
});

test("[STO-45] a page of the disk that cannot be read keeps only its own sessions from it", async (t) => {
  const path = databasePath(t);
  const all = Array.from({ length: 600 }, (): Row => ({ status: "ready" }));
  await olderDatabase(path, all);
  const damaged = sessionId(300);
  destroyPage(path, `"id":"${damaged}"`, `"on_interrupt"`);
  const { live } = await found(path);
  assert.ok(!live.includes(damaged));
  assert.ok(live.length > 550, `${live.length} were found`);
  assert.ok(live.includes(sessionId(1)) && live.includes(sessionId(600)));
});

test("[STO-45] where the list of sessions cannot be read, what is left is made when it can", async (t) => {
  const path = databasePath(t);
  const all = Array.from({ length: 510 }, (): Row => ({ status: "ready" }));
  await olderDatabase(path, all);
  const last = sessionId(510);
  spoil(path, "UPDATE sessions SET id = x'00' WHERE id = ?", last);
  const store = await openAt(path);
  assert.equal((await store.live(null, 5000)).length, 500);
  await store.close();
  spoil(path, "UPDATE sessions SET id = ? WHERE id = x'00'", last);
  assert.equal((await found(path)).live.length, 510);
});

test("[STO-44] a row that names no session makes no page shorter", async (t) => {
  const path = databasePath(t);
  const store = await openAt(path);
  const term = await store.claim();
  const attention = { live: true, due_at: at(1) };
  for (const n of [1, 2, 3, 4, 5])
    await store.append(append(term, sessionId(n), 0, 1, { attention }));
  for (const n of [1, 3])
    spoil(
      path,
      "UPDATE attention SET session_id = session_id || '!' WHERE session_id = ?",
      sessionId(n),
    );
  const sound = [2, 4].map(sessionId);
  assert.deepEqual(await store.live(null, 2), sound);
  const due = await store.due(at(9), null, 2);
  assert.deepEqual(
    due.map(({ session_id }) => session_id),
    sound,
  );
  assert.deepEqual(await store.live(sessionId(4), 2), [sessionId(5)]);
});

test("[REC-55] [REC-56] what is live or due is found through an index", async (t) => {
  const path = databasePath(t);
  await (await openAt(path)).close();
  const db = new DatabaseSync(path);
  const plan = (sql: string): string =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
      .join();
  const [live, due] = [plan(LIVE), plan(DUE)];
  db.close();
  assert.match(live, /USING (COVERING )?INDEX attention_live \(session_id>\?/);
  assert.match(due, /USING (COVERING )?INDEX attention_due \(.*due_at/);
  for (const each of [live, due]) assert.doesNotMatch(each, /TEMP B-TREE/);
});
