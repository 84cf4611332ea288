import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "../../../src/contract/session/session.ts";
import { ManualScheduler } from "../fixtures/manual-scheduler.ts";
import { aSession, at, sessionId } from "../fixtures/samples.ts";
import { placeName, shortNames } from "./directories.ts";
import { Sessions } from "./sessions.ts";

/** Session `n` was last active n minutes ago. */
const numbered = (n: number, different: Partial<Session> = {}): Session =>
  aSession({
    id: sessionId(n),
    last_active_at: at(-n * 60_000),
    last_seq: 10,
    cwd: n % 2 === 0 ? "/home/ann/even" : "/home/ann/odd",
    ...different,
  });

/** A server with so many sessions, which counts what it is asked. */
const serverWith = (count: number) => {
  const all = Array.from({ length: count }, (_, i) => numbered(i + 1));
  const asked: object[] = [];
  const scheduler = new ManualScheduler();
  const store = new Sessions({
    scheduler,
    onFailed: (error) => assert.fail(String(error)),
    client: {
      listSessions: (query = {}) => {
        asked.push(query);
        if (query.needs_you === true)
          return Promise.resolve({ sessions: [], next: null });
        const from = Number(query.after ?? 0);
        const to = from + (query.limit ?? 100);
        return Promise.resolve({
          sessions: all.slice(from, to),
          next: to < all.length ? String(to) : null,
        });
      },
      listTasks: () => Promise.resolve({ tasks: [], next: null }),
    },
  });
  const ids = (): string[] => store.get().sessions.map(({ id }) => id);
  return { store, scheduler, asked, ids };
};

test("[PAG-44] lists are read in pages, the first one at once and the others when they are asked for", async () => {
  const { store, asked } = serverWith(250);
  assert.equal(store.get().isLoaded, false);
  await store.load();
  assert.equal(store.get().sessions.length, 100);
  assert.equal(store.get().hasMore, true);
  assert.equal(asked.length, 2);
  await Promise.all([store.loadMore(), store.loadMore()]);
  assert.equal(store.get().sessions.length, 200);
  await store.loadAll();
  assert.equal(store.get().sessions.length, 250);
  assert.equal(store.get().hasMore, false);
  assert.equal(asked.length, 4);
});

test("[PAG-44] changes of the home are shown together at the next frame, newest activity first", async () => {
  const { store, scheduler, ids } = serverWith(3);
  await store.load();
  let told = 0;
  store.subscribe(() => told++);
  const changed = (session: Session) =>
    store.take({ seq: 1, type: "session.changed", session });
  changed(numbered(3, { last_active_at: at(0), last_seq: 11 }));
  changed(numbered(9, { last_active_at: at(1), last_seq: 1 }));
  assert.equal(told, 0);
  scheduler.draw();
  assert.equal(told, 1);
  assert.deepEqual(
    ids(),
    [9, 3, 1, 2].map((n) => sessionId(n)),
  );
});

test("[PAG-44] what is older than what is known changes nothing", async () => {
  const { store, scheduler } = serverWith(1);
  await store.load();
  const session = numbered(1, { name: "old", last_seq: 9 });
  store.take({ seq: 1, type: "session.changed", session });
  scheduler.draw();
  assert.equal(store.get().byId.get(sessionId(1))?.name, null);
});

test("[PAG-44] what is in the trash or gone is not listed, and a reset reads all again", async () => {
  const { store, scheduler, ids } = serverWith(3);
  await store.load();
  const session = numbered(1, { deleted_at: at(0), last_seq: 11 });
  store.take({ seq: 1, type: "session.changed", session });
  store.take({ seq: 2, type: "session.removed", session_id: sessionId(2) });
  scheduler.draw();
  assert.deepEqual(ids(), [sessionId(3)]);
  const shown = new Promise<void>((resolve) => {
    store.subscribe(resolve);
  });
  store.take({ seq: 3, type: "stream.reset" });
  await shown;
  assert.equal(store.get().sessions.length, 3);
});

test("[PAG-244] what is removed for good stays known as removed when all is read again, unless it was imported", async () => {
  const { store, scheduler } = serverWith(3);
  await store.load();
  for (const n of [2, 7])
    store.take({ seq: n, type: "session.removed", session_id: sessionId(n) });
  scheduler.draw();
  assert.deepEqual([...store.get().removed], [2, 7].map(sessionId));
  await store.load();
  assert.deepEqual([...store.get().removed], [sessionId(7)]);
});

test("[PAG-44] sessions are grouped by their directory, which has the shortest name that tells it apart", async () => {
  const { store } = serverWith(3);
  await store.load();
  assert.deepEqual(
    store
      .get()
      .directories.map(({ name, sessions }) => [name, sessions.length]),
    [
      ["odd", 2],
      ["even", 1],
    ],
  );
  const own = numbered(5, { cwd: `/home/ann/.reprise/${sessionId(5)}` });
  store.put(own);
  assert.deepEqual(
    store.get().directories.map(({ name }) => name),
    ["odd", "even", "Own directories"],
  );
  assert.equal(placeName(own), "own directory");
  assert.equal(placeName(numbered(1)), "odd");
  assert.equal(placeName({ ...own, worktree_branch: "fix" }), "fix");
  const paths = ["/a/api", "/b/api", "/b/web", "/"];
  assert.deepEqual(
    [...shortNames(paths)].toSorted(([one], [other]) => (one < other ? -1 : 1)),
    [
      ["/", "/"],
      ["/a/api", "a/api"],
      ["/b/api", "b/api"],
      ["/b/web", "web"],
    ],
  );
});
