/** Sessions whose agent is gone: what is still to be done for them outlives the server, and nothing else is looked at. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionId } from "../../src/contract/base/id.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, problems, request, turnEnded, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

/** A session that was told something, and rests. */
const paused = async (store: Store, place: KeepingPlace) => {
  const runtime = await house(fakeExecutors(place), { store });
  const { operations } = runtime;
  const { id } = await operations.createSession(request({ prompt: "one" }));
  await until(runtime, id, turnEnded(1));
  await operations.pauseSession(id);
  return { runtime, id };
};

const statuses = async (store: Store) =>
  (await store.executors()).map(({ status }) => status);

test("[REC-2] [REC-55] a paused session is stopped once it is captured, and the next start does not read it, nor its rows", async () => {
  const store = memoryStore();
  const { runtime } = await paused(store, new KeepingPlace());
  assert.deepEqual(await statuses(store), ["stopped"]);
  await runtime.close();

  const read: SessionId[] = [];
  const next = await house(fakeExecutors(new KeepingPlace()), {
    store: {
      ...store,
      load: (session, version) => {
        read.push(session);
        return store.load(session, version);
      },
      executors: async () => assert.fail("rows of all executors were read"),
      sessions: async () => assert.fail("all sessions were listed"),
    },
  });
  await next.recovery.startup("startup");
  assert.deepEqual(read, []);
  await next.close();
});

test("[REC-2] a session that is purged while the server starts is nothing to complain of", async () => {
  const store = memoryStore();
  const first = await house(fakeExecutors(new KeepingPlace()), { store });
  const { id } = await first.operations.createSession(
    request({ prompt: "one" }),
  );
  await until(first, id, turnEnded(1));
  await first.close();

  const before = problems.length;
  const next = await house(fakeExecutors(new KeepingPlace()), {
    store: { ...store, load: async () => null },
  });
  assert.deepEqual(await next.recovery.startup("startup"), { running: 0 });
  assert.deepEqual(problems.slice(before), []);
  await next.close();
});

test("[REC-2] [CPT-7] the rewind of a paused session is finished by the next server", async () => {
  const store = memoryStore();
  const place = new KeepingPlace();
  const { runtime, id } = await paused(store, place);
  const held = Promise.withResolvers<void>();
  place.held = held.promise;
  const rewound = runtime.operations.rewindSession(id, {
    turn: 0,
    dry_run: false,
  });
  rewound.catch(() => undefined);
  await until(runtime, id, ({ type }) => type === "session.rewind.requested");
  assert.deepEqual(await statuses(store), ["starting"]);

  const next = await house(fakeExecutors(new KeepingPlace()), { store });
  await next.recovery.startup("startup");
  await until(
    next,
    id,
    (event) =>
      event.type === "session.checkpoint.saved" &&
      event.data.checkpoint.kind === "pause" &&
      event.data.checkpoint.turn === 0,
  );
  assert.deepEqual(await statuses(store), ["stopped"]);
  await next.close();
  held.reject(new RepriseError("agentctl_unavailable", "It is away."));
  await runtime.close();
});

test("[REC-4] what is due for a session that never had an agent is done when somebody wants it", async () => {
  const store = memoryStore();
  const place = new KeepingPlace();
  const held = Promise.withResolvers<void>();
  place.held = held.promise;
  place.workspaceKind = "other";
  const runtime = await house(fakeExecutors(place), { store });
  const { id } = await runtime.operations.createSession(request());
  await until(
    runtime,
    id,
    (event) =>
      event.type === "session.state_changed" && event.data.to === "ERROR",
  );
  assert.deepEqual(await statuses(store), []);

  const next = await house(fakeExecutors(new KeepingPlace()), { store });
  await next.recovery.startup("startup");
  const { parent } = await next.operations.forkSession(id, {});
  assert.equal(parent?.turn, 0);
  await next.close();
  held.reject(new RepriseError("agentctl_unavailable", "It is away."));
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
