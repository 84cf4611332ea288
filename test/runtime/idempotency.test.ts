/** The same key and request get the first answer again, and have one effect: after a restart, and when nobody was answered. */
import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import { permissionId, type SessionId } from "../../src/contract/base/id.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { askItem } from "../../src/session/testing.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, type House, request, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

type Operations = House["operations"];

interface Case {
  /** Brings the session to where it can be asked. */
  prepare?: (runtime: House, session: SessionId) => Promise<unknown>;
  ask: (
    operations: Operations,
    session: SessionId,
    key: string,
  ) => Promise<object>;
  /** What is in the journals once for each time that it is done. */
  effect: Event["type"] | null;
}

const KEY = "key-1";
const permission = permissionId(1, 10);

const cases: Record<string, Case> = {
  fork: {
    ask: (operations, id, key) => operations.forkSession(id, { turn: 1 }, key),
    effect: "session.forked",
  },
  rewind: {
    ask: (operations, id, key) =>
      operations.rewindSession(id, { turn: 1, dry_run: false }, key),
    effect: "session.rewound",
  },
  "a look at a rewind": {
    ask: (operations, id, key) =>
      operations.rewindSession(id, { turn: 1, dry_run: true }, key),
    effect: null,
  },
  handoff: {
    ask: (operations, id, key) =>
      operations.handOffSession(id, { agent: "other" }, key),
    effect: "session.handed_off",
  },
  pause: {
    ask: (operations, id, key) => operations.pauseSession(id, key),
    effect: null,
  },
  resume: {
    prepare: ({ operations }, id) => operations.pauseSession(id),
    ask: (operations, id, key) => operations.resumeSession(id, {}, key),
    effect: "session.execution.started",
  },
  end: {
    ask: (operations, id, key) =>
      operations.endSession(id, { outcome: "completed" }, key),
    effect: "session.ended",
  },
  change: {
    ask: (operations, id, key) =>
      operations.changeSession(id, { mode: "plan" }, key),
    effect: "session.definition.changed",
  },
  undelete: {
    prepare: ({ operations }, id) => operations.deleteSession(id),
    ask: (operations, id, key) => operations.undeleteSession(id, key),
    effect: "session.undeleted",
  },
  recover: {
    ask: (operations, id, key) => operations.recoverSession(id, key),
    effect: null,
  },
  permit: {
    prepare: async (runtime, id) => {
      await runtime.operations.queuePrompt(id, { text: "ask" });
      await until(
        runtime,
        id,
        ({ type }) => type === "session.permission.requested",
      );
    },
    ask: (operations, id, key) =>
      operations.answerPermission(id, permission, "yes", key),
    effect: "session.permission.answered",
  },
};

for (const [name, { prepare, ask, effect }] of Object.entries(cases)) {
  test(`[API-106] ${name}: the same key is answered again, also after a restart, and another request with it is refused`, async () => {
    const { place, store, runtime, id } = await stage();
    await prepare?.(runtime, id);
    const first = await ask(runtime.operations, id, KEY);
    const once = await done(store, effect);
    assert.deepEqual(await ask(runtime.operations, id, KEY), first);
    await conflict(runtime.operations, id);
    await runtime.close();
    const again = await house(fakeExecutors(place), { store });
    assert.deepEqual(await ask(again.operations, id, KEY), first);
    await conflict(again.operations, id);
    assert.deepEqual(await done(store, effect), once);
    await again.close();
  });

  test(`[API-107] ${name}: what was done and not answered is not done again`, async () => {
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      putReceipt: () => Promise.reject(new Error("cut off")),
    };
    const { place, runtime, id } = await stage(store);
    await prepare?.(runtime, id);
    const count = async () =>
      (await allEvents(store)).filter(({ type }) => type === effect).length;
    const before = await count();
    await assert.rejects(ask(runtime.operations, id, KEY), /cut off/);
    await runtime.close();
    const again = await house(fakeExecutors(place), { store: inner });
    const answer = await ask(again.operations, id, KEY);
    assert.deepEqual(await ask(again.operations, id, KEY), answer);
    await conflict(again.operations, id);
    assert.equal(await count(), effect === null ? 0 : before + 1);
    await again.close();
  });
}

test("[API-106] an import and a collection are done once for each key, too", async () => {
  const source = await stage();
  const { content } = await source.runtime.operations.exportSession(source.id);
  const archive = await text(content);
  await source.runtime.close();
  const store = memoryStore();
  const { operations, close } = await house(fakeExecutors(new KeepingPlace()), {
    store,
  });
  const first = await operations.importSession(bytes(archive), {}, KEY);
  assert.deepEqual(
    await operations.importSession(bytes(archive), {}, KEY),
    first,
  );
  await assert.rejects(
    operations.importSession(bytes(`${archive} `), {}, KEY),
    { code: "idempotency_conflict" },
  );
  await assert.rejects(
    operations.importSession(bytes(archive), {}, "another"),
    { code: "session_exists" },
  );
  const collected = await operations.collectGarbage({ dry_run: false }, KEY);
  assert.deepEqual(
    await operations.collectGarbage({ dry_run: false }, KEY),
    collected,
  );
  await assert.rejects(operations.collectGarbage({ dry_run: true }, KEY), {
    code: "idempotency_conflict",
  });
  await close();
});

test("[API-106] what was refused left nothing behind: the key can be used for it again", async () => {
  const { runtime, id } = await stage();
  const { operations } = runtime;
  await assert.rejects(operations.forkSession(id, { turn: 9 }, KEY), {
    code: "checkpoint_not_found",
  });
  await operations.forkSession(id, { turn: 1 }, KEY);
  await runtime.close();
});

test("[API-106] fifty forks with one key at the same time are one", async () => {
  const { store, runtime, id } = await stage();
  const forks = await Promise.all(
    Array.from({ length: 50 }, () =>
      runtime.operations.forkSession(id, { turn: 1 }, KEY),
    ),
  );
  assert.equal(new Set(forks.map((fork) => fork.id)).size, 1);
  assert.equal((await store.sessions({ limit: 100 })).sessions.length, 2);
  await runtime.close();
});

/** A session with two turns that were captured. */
const stage = async (store: Store = memoryStore()) => {
  const place = new KeepingPlace();
  const runtime = await house(fakeExecutors(place), { store });
  const { id } = await runtime.operations.createSession(request({}));
  for (const turn of [1, 2]) {
    await runtime.operations.queuePrompt(id, { text: `turn ${turn}` });
    await until(
      runtime,
      id,
      (event) =>
        event.type === "session.checkpoint.saved" &&
        event.data.checkpoint.kind === "turn" &&
        event.data.checkpoint.turn === turn,
    );
  }
  const answering = place.onPrompt;
  place.onPrompt = (order, agent) => {
    if (JSON.stringify(order.content).includes('"ask"'))
      agent.speak(2, (range) => askItem(permission, range));
    else answering(order, agent);
  };
  return { place, store, runtime, id };
};

const allEvents = async (store: Store): Promise<Event[]> => {
  const { sessions } = await store.sessions({ limit: 100 });
  const journals = await Promise.all(
    sessions.map(({ id }) => store.events(id, 0, 10_000)),
  );
  return journals.flat();
};

const done = async (store: Store, effect: Case["effect"]): Promise<string[]> =>
  (await allEvents(store))
    .filter(({ type }) => type === effect)
    .map(({ session_id, seq }) => `${session_id} ${seq}`);

const conflict = (operations: Operations, session: SessionId) =>
  assert.rejects(
    operations.endSession(session, { outcome: "cancelled" }, KEY),
    (error) =>
      error instanceof RepriseError && error.code === "idempotency_conflict",
  );

async function* bytes(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}
