import assert from "node:assert/strict";
import { test } from "node:test";
import { type Directory, LOCAL, type PlaceRef } from "../../contract/place.ts";
import type { Session } from "../../contract/session.ts";
import type { SessionFilter, Store } from "../../runtime/ports/store.ts";
import type { OpenStore } from "./rule.ts";
import { refused } from "./rule.ts";
import {
  append,
  at,
  sessionId,
  sessionView,
  taskId,
  taskRecord,
} from "./sample.ts";

export const listingRules = (open: OpenStore): void => {
  void test("sessions come with the most recently active first", async (t) => {
    const store = await open(t);
    await put(store, [{ last_active_at: at(2) }, { last_active_at: at(9) }]);
    await put(store, [{ last_active_at: at(5) }], 2);
    assert.deepEqual(await ids(store, { limit: 10 }), [1, 2, 0]);
    const term = await store.claim();
    const view = sessionView(sessionId(0), { last_active_at: at(10) });
    await store.append(append(term, sessionId(0), 1, 1, { view }));
    assert.deepEqual(await ids(store, { limit: 10 }), [0, 1, 2]);
  });

  void test("pages follow each other without a gap or a repetition, also among equal times", async (t) => {
    const store = await open(t);
    const views = Array.from({ length: 23 }, (_, n) => ({
      last_active_at: at(Math.floor(n / 5)),
    }));
    await put(store, views);
    const all = await ids(store, { limit: 100 });
    assert.equal(all.length, 23);
    for (const limit of [1, 4, 22, 23]) {
      const seen: number[] = [];
      let after: string | null = null;
      do {
        const page = await store.sessions(
          after === null ? { limit } : { limit, after },
        );
        seen.push(...page.sessions.map(numberOf));
        after = page.next;
      } while (after !== null);
      assert.deepEqual(seen, all, `pages of ${limit}`);
    }
  });

  void test("a session that becomes active between two pages moves to the front and disturbs no other", async (t) => {
    const store = await open(t);
    await put(
      store,
      [0, 1, 2, 3, 4, 5].map((n) => ({ last_active_at: at(n) })),
    );
    const first = await store.sessions({ limit: 2 });
    assert.deepEqual(first.sessions.map(numberOf), [5, 4]);
    const term = await store.claim();
    const view = sessionView(sessionId(1), { last_active_at: at(99) });
    await store.append(append(term, sessionId(1), 1, 1, { view }));
    assert.ok(first.next);
    assert.deepEqual(
      await ids(store, { limit: 9, after: first.next }),
      [3, 2, 0],
    );
  });

  void test("filters combine with each other and with the cursor", async (t) => {
    const store = await open(t);
    const task_id = taskId(1);
    await put(store, [
      { task_id, cwd: "/a", state: "RUNNING", last_active_at: at(1) },
      { task_id, cwd: "/b", state: "RUNNING", last_active_at: at(2) },
      { cwd: "/a", state: "PAUSED", last_active_at: at(3) },
      { task_id, cwd: "/a", state: "PAUSED", last_active_at: at(4) },
      { cwd: "/a", state: "RUNNING", last_active_at: at(5) },
    ]);
    const limit = 10;
    const a = here("/a");
    assert.deepEqual(await ids(store, { limit, task_id }), [3, 1, 0]);
    assert.deepEqual(await ids(store, { limit, cwd: a }), [4, 3, 2, 0]);
    const states = ["PAUSED", "ERROR"];
    assert.deepEqual(await ids(store, { limit, states }), [3, 2]);
    assert.deepEqual(await ids(store, { limit, states: [] }), []);
    assert.deepEqual(
      await ids(store, { limit, task_id, cwd: a, states: ["RUNNING"] }),
      [0],
    );
    assert.deepEqual(await ids(store, { limit, cwd: here("/c") }), []);
    const page = await store.sessions({ limit: 2, cwd: a });
    assert.ok(page.next);
    assert.deepEqual(
      await ids(store, { limit: 2, cwd: a, after: page.next }),
      [2, 0],
    );
  });

  void test("sessions near a directory are in it, above it or beneath it", async (t) => {
    const store = await open(t);
    const paths = ["/", "/a", "/a/b", "/a/b/c", "/a/b0", "/a/b-c", "/ab", "/b"];
    await put(
      store,
      paths.map((cwd, n) => ({ cwd, state: "RUNNING", last_active_at: at(n) })),
    );
    const near = async (directory: string) =>
      (await ids(store, { limit: 10, near: here(directory) }))
        .map((n) => paths[n] ?? "")
        .sort();
    assert.deepEqual(await near("/a/b"), ["/", "/a", "/a/b", "/a/b/c"]);
    assert.deepEqual(await near("/a/b/x"), ["/", "/a", "/a/b"]);
    assert.deepEqual(await near("/b"), ["/", "/b"]);
    assert.deepEqual(await near("/"), paths.toSorted());
    const limit = 2;
    const page = await store.sessions({ limit, near: here("/a/b") });
    assert.ok(page.next);
    assert.deepEqual(
      await ids(store, { limit, near: here("/a/b"), after: page.next }),
      [1, 0],
    );
  });

  void test("[STO-54] the same path at two places is two directories", async (t) => {
    const store = await open(t);
    const [far, box] = [FAR, { kind: "docker", id: "a/b" }];
    await put(store, [
      { cwd: "/a", last_active_at: at(1) },
      { cwd: "/a", place: far, last_active_at: at(2) },
      { cwd: "/a/b", place: far, last_active_at: at(3) },
      { cwd: "/", place: box, last_active_at: at(4) },
    ]);
    const limit = 10;
    const found = async (path: string, place: PlaceRef) => [
      await ids(store, { limit, cwd: { place, path } }),
      await ids(store, { limit, near: { place, path } }),
    ];
    assert.deepEqual(await found("/a", LOCAL), [[0], [0]]);
    assert.deepEqual(await found("/a", far), [[1], [2, 1]]);
    assert.deepEqual(await found("/a/b/c", far), [[], [2, 1]]);
    assert.deepEqual(await found("/a", box), [[], [3]]);
    assert.deepEqual(await found("/a", { ...far, id: "fa" }), [[], []]);
  });

  void test("[STO-56] every place that a session works at is told once, also of those in the trash", async (t) => {
    const store = await open(t);
    assert.deepEqual(await store.places(), []);
    const box = { kind: "docker", id: "a/b" };
    await put(store, [
      {},
      { place: FAR },
      {},
      { place: box, deleted_at: at(1) },
      { place: FAR },
    ]);
    assert.deepEqual(await store.places(), [box, FAR, LOCAL]);
    await store.purge(await store.claim(), sessionId(3));
    assert.deepEqual(await store.places(), [FAR, LOCAL]);
  });

  void test("[SES-60] sessions come by their last wish where that is asked for, whatever they did since", async (t) => {
    const store = await open(t);
    await put(store, [
      { last_wish_at: at(3), last_active_at: at(9) },
      { last_wish_at: at(5), last_active_at: at(5) },
      { last_wish_at: at(4), last_active_at: at(8), state: "COMPLETED" },
      { last_wish_at: at(5), last_active_at: at(6), cwd: "/b" },
    ]);
    const order = "wish";
    assert.deepEqual(await ids(store, { limit: 9, order }), [3, 1, 2, 0]);
    const going = {
      order,
      cwd: here("/work"),
      states: ["WAITING_FOR_INPUT"],
    } as const;
    assert.deepEqual(await ids(store, { ...going, limit: 9 }), [1, 0]);
    const page = await store.sessions({ ...going, limit: 1 });
    assert.ok(page.next);
    assert.deepEqual(
      await ids(store, { ...going, limit: 9, after: page.next }),
      [0],
    );
    const term = await store.claim();
    for (const [seq, last_wish_at] of [at(3), at(7), at(7)].entries()) {
      const view = sessionView(sessionId(0), { last_wish_at });
      await store.append(append(term, sessionId(0), seq + 1, 1, { view }));
      const [first] = await ids(store, { ...going, limit: 1 });
      assert.equal(first, last_wish_at === at(7) ? 0 : 1);
    }
  });

  void test("tasks come newest first, page by page", async (t) => {
    const store = await open(t);
    const term = await store.claim();
    for (const n of [3, 1, 4, 2, 5])
      await store.createTask(term, taskRecord(n, Math.min(n, 4)), null);
    const first = await store.tasks({ limit: 2 });
    assert.deepEqual(first.tasks, [taskRecord(5, 4), taskRecord(4)]);
    assert.ok(first.next);
    const second = await store.tasks({ limit: 3, after: first.next });
    assert.deepEqual(second.tasks, [
      taskRecord(3),
      taskRecord(2),
      taskRecord(1),
    ]);
    assert.equal(second.next, null);
  });

  void test("a cursor that is none is refused", async (t) => {
    const store = await open(t);
    for (const after of ["", "x", "!!", "bnVsbA", "WzEsMl0"]) {
      await refused(store.sessions({ limit: 1, after }), "invalid_request");
      await refused(store.tasks({ limit: 1, after }), "invalid_request");
    }
  });
};

const FAR = { kind: "remote", id: "far" };

const here = (path: string): Directory => ({ place: LOCAL, path });

/** Creates sessions numbered from `first`. */
const put = async (
  store: Store,
  views: readonly Partial<Session>[],
  first = 0,
): Promise<void> => {
  const term = await store.claim();
  for (const [index, more] of views.entries()) {
    const id = sessionId(first + index);
    const view = sessionView(id, more);
    await store.append(append(term, id, 0, 1, { view }));
  }
};

const numberOf = ({ id }: Session): number => Number(id.slice(4));

const ids = async (store: Store, filter: SessionFilter): Promise<number[]> =>
  (await store.sessions(filter)).sessions.map(numberOf);
