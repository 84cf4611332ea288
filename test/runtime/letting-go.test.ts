// Alone: it counts what all sessions of its process have left.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, problems, request, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

const DAY_MS = 86_400_000;

const stage = async (retention?: {
  ttl_days: number | null;
  retention_days: number | null;
  trash_days: number;
}) => {
  const place = new KeepingPlace();
  const store = memoryStore();
  const clock = { days: 0 };
  const start = Date.now();
  const runtime = await house(fakeExecutors(place), {
    store,
    now: () => new Date(start + clock.days * DAY_MS),
    ...(retention === undefined ? {} : { retention }),
  });
  const add = async (given: object = {}) => {
    const { id } = await runtime.operations.createSession(request(given));
    await until(runtime, id, ({ type }) => type === "session.checkpoint.saved");
    return id;
  };
  return { place, store, clock, runtime, add, ...runtime };
};

test("[CPT-14] [API-93] [API-94] a deleted session does not run, is not listed, and comes back whole", async () => {
  const { operations, add, close } = await stage();
  const id = await add();
  await operations.pauseSession(id);
  const gone = await operations.deleteSession(id);
  assert.notEqual(gone.deleted_at, null);
  assert.equal(gone.is_agent_running, false);
  const listed = async (deleted: boolean) =>
    (await operations.listSessions({ limit: 9, deleted })).sessions.map(
      (session) => session.id,
    );
  assert.deepEqual([await listed(false), await listed(true)], [[], [id]]);
  await assert.rejects(
    operations.queuePrompt(id, { text: "hello" }),
    (error) =>
      error instanceof RepriseError && error.code === "session_deleted",
  );
  const back = await operations.undeleteSession(id);
  assert.equal(back.deleted_at, null);
  assert.deepEqual(await listed(false), [id]);
  await close();
});

for (const [ttl_days, lists] of [
  [null, [true]],
  [1, [false, true]],
] as const)
  test(`[REC-55] with ttl_days ${ttl_days}, retention reads ${ttl_days === null ? "the trash alone" : "all sessions"}`, async () => {
    const store = memoryStore();
    const listed = new Set<boolean>();
    const runtime = await house(fakeExecutors(new KeepingPlace()), {
      store: {
        ...store,
        sessions: (filter) => {
          listed.add(filter.deleted ?? false);
          return store.sessions(filter);
        },
      },
      retention: { ttl_days, retention_days: null, trash_days: 7 },
    });
    await runtime.operations.keepRetention();
    assert.deepEqual([...listed], lists);
    await runtime.close();
  });

test("[CPT-14] [P8] [API-95] a collection purges only what was in the trash long enough, and keeps what others need", async () => {
  const { place, store, clock, operations, add, close } = await stage({
    ttl_days: null,
    retention_days: null,
    trash_days: 7,
  });
  const [old, young, kept] = [await add(), await add(), await add()];
  for (const id of [old, young, kept]) await operations.pauseSession(id);
  await operations.deleteSession(old);
  clock.days = 5;
  await operations.deleteSession(young);
  clock.days = 8;
  const plan = await operations.collectGarbage({ dry_run: true });
  assert.deepEqual([plan.purged, plan.freed_bytes], [[old], 10]);
  assert.notEqual(await store.session(old), null);
  assert.equal(place.prunes.at(-1)?.dry_run, true);
  const done = await operations.collectGarbage({ dry_run: false });
  assert.deepEqual(done.purged, [old]);
  assert.equal(await store.session(old), null);
  assert.deepEqual(
    place.discarded.map(({ session_id }) => session_id),
    [old],
  );
  const trees: string[] = [];
  for await (const { checkpoints } of store.needed())
    for (const { tree, agent_state } of checkpoints)
      trees.push(...[tree, agent_state].filter((each) => each !== null));
  assert.deepEqual(
    new Set(place.prunes.at(-1)?.trees),
    new Set(trees),
    "both would have freed the same",
  );
  assert.deepEqual(
    new Set(place.prunes.at(-2)?.trees),
    new Set(place.prunes.at(-1)?.trees),
  );
  await assert.rejects(operations.showSession(old));
  assert.equal((await operations.showSession(young)).id, young);
  await close();
});

test("[CPT-14] [P8] a directory that another session works in is not taken away with the one it was made for", async () => {
  const { place, clock, operations, add, close } = await stage();
  const owner = await add();
  const { cwd } = await operations.showSession(owner);
  const guest = await add({ cwd });
  for (const id of [owner, guest]) await operations.pauseSession(id);
  const collect = async (days: number) => {
    clock.days = days;
    const { purged } = await operations.collectGarbage({ dry_run: true });
    const done = await operations.collectGarbage({ dry_run: false });
    assert.deepEqual(done.purged, purged);
    return purged;
  };
  await operations.deleteSession(owner);
  assert.deepEqual(await collect(100), []);
  assert.deepEqual(place.discarded, []);
  await operations.deleteSession(guest);
  assert.deepEqual(await collect(200), [guest]);
  assert.deepEqual(await collect(201), [owner]);
  await close();
});

test("[CPT-14] ttl_days ends, retention_days puts into the trash, trash_days empties it: each in its time", async () => {
  const { store, clock, operations, add, close } = await stage({
    ttl_days: 10,
    retention_days: 20,
    trash_days: 7,
  });
  const id = await add();
  await operations.pauseSession(id);
  const at = async (days: number) => {
    clock.days = days;
    await operations.keepRetention();
    return store.session(id);
  };
  assert.equal((await at(9))?.state, "PAUSED");
  assert.equal((await at(11))?.state, "COMPLETED");
  assert.equal((await at(20))?.deleted_at, null);
  assert.notEqual((await at(32))?.deleted_at, null);
  assert.notEqual(await at(38), null);
  assert.equal(await at(40), null);
  await close();
});

test("[REC-39] [P8] nothing is let go because the clock was set ahead", async () => {
  const clock = { days: 0 };
  const start = Date.now();
  const runtime = await house(fakeExecutors(new KeepingPlace()), {
    now: () => new Date(start + clock.days * DAY_MS),
    ages: () => new Date(start),
    retention: { ttl_days: 1, retention_days: 1, trash_days: 1 },
  });
  const { operations, close } = runtime;
  const add = async () =>
    (await operations.createSession(request({ checkpoints: false }))).id;
  const [used, ended, deleted] = [await add(), await add(), await add()];
  for (const id of [used, ended, deleted]) await operations.pauseSession(id);
  await operations.endSession(ended, { outcome: "completed" });
  await operations.deleteSession(deleted);
  clock.days = 100;
  const none = { ended: [], deleted: [], purged: [] };
  assert.deepEqual(await operations.keepRetention(), none);
  for (const dry_run of [true, false]) {
    const collected = await operations.collectGarbage({ dry_run });
    assert.deepEqual(collected.purged, []);
  }
  await close();
});

test("[REC-39] [P8] nothing is let go because it was stamped while the clock was behind", async () => {
  const start = Date.now();
  const clock = { days: -100 };
  const behind = new Date(start - DAY_MS).toISOString();
  const runtime = await house(fakeExecutors(new KeepingPlace()), {
    now: () => new Date(start + clock.days * DAY_MS),
    ages: () => new Date(start + clock.days * DAY_MS),
    since: (stamp) => (stamp < behind ? new Date(start).toISOString() : stamp),
    retention: { ttl_days: 1, retention_days: 1, trash_days: 1 },
  });
  const { operations, close } = runtime;
  const { id } = await operations.createSession(
    request({ checkpoints: false }),
  );
  await operations.pauseSession(id);
  await operations.deleteSession(id);
  clock.days = 0.5;
  assert.deepEqual((await operations.keepRetention()).purged, []);
  clock.days = 1.5;
  assert.deepEqual((await operations.keepRetention()).purged, [id]);
  await close();
});

test("[CPT-14] [P8] a session that somebody comes back to while the policy is applied is kept", async () => {
  const { store, clock, runtime, operations, add, close } = await stage({
    ttl_days: 10,
    retention_days: null,
    trash_days: 7,
  });
  const id = await add();
  await operations.pauseSession(id);
  const list = store.sessions;
  store.sessions = async (filter) => {
    const page = await list(filter);
    if (page.sessions.length > 0) {
      store.sessions = list;
      await operations.queuePrompt(id, { text: "I am back" });
      await until(runtime, id, ({ type }) => type === "session.turn.ended");
    }
    return page;
  };
  clock.days = 11;
  assert.deepEqual((await operations.keepRetention()).ended, []);
  assert.equal((await store.session(id))?.state, "WAITING_FOR_INPUT");
  await close();
});

test("[CPT-14] [API-95] what checkpoints take is told for each session, the trash too, the largest first", async () => {
  const { operations, add, close } = await stage();
  const [small, large] = [await add(), await add({ name: "large" })];
  await operations.pauseSession(large);
  await operations.deleteSession(large);
  const { sessions, total_bytes } = await operations.showDiskUse();
  assert.deepEqual(
    sessions.map(({ id, name }) => [id, name]),
    [
      [large, "large"],
      [small, null],
    ],
  );
  assert.equal(total_bytes, 7);
  const only = await operations.showDiskUse(small);
  assert.deepEqual(
    only.sessions.map(({ id }) => id),
    [small],
  );
  await close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});

test("[API-132] what still runs is not purged, and a dry run does not say so either", async () => {
  class Unstoppable extends KeepingPlace {
    override async stop(): Promise<void> {}
  }
  const clock = { days: 0 };
  const start = Date.now();
  const runtime = await house(fakeExecutors(new Unstoppable()), {
    now: () => new Date(start + clock.days * DAY_MS),
    resumeDeadlineMs: 20,
    retention: { ttl_days: null, retention_days: null, trash_days: 7 },
  });
  const { operations, close } = runtime;
  const { id } = await operations.createSession(request());
  await until(runtime, id, ({ type }) => type === "session.agent.ready");
  await assert.rejects(
    operations.deleteSession(id),
    (error) => error instanceof RepriseError && error.code === "timed_out",
  );
  clock.days = 8;
  const told = await operations.collectGarbage({ dry_run: true });
  const done = await operations.collectGarbage({ dry_run: false });
  assert.deepEqual([told.purged, done.purged], [[], []]);
  await close();
});
