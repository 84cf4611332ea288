/** A session or a task in the trash is removed for good because somebody asks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL } from "../../src/contract/base/place.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import { LinkError } from "../../src/contract/link/link-error.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, problems, request, taskRequest, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";
import { executorsOf, FAR } from "./several-places.ts";
import { stage as twoPlaces } from "./upkeep-stage.ts";

const NEVER = { ttl_days: null, retention_days: null, trash_days: 10_000 };

const mounted = new LinkError("workspace_mounted", "something is mounted");

const stage = async (store: Store = memoryStore()) => {
  const place = new KeepingPlace();
  const executors = fakeExecutors(place);
  const runtime = await house(executors, { store, retention: NEVER });
  const { operations } = runtime;
  const add = async (given: object = {}) => {
    const { id } = await operations.createSession(request(given));
    await until(runtime, id, ({ type }) => type === "session.checkpoint.saved");
    await operations.pauseSession(id);
    return id;
  };
  const discarded = () => place.discarded.map(({ session_id }) => session_id);
  /** The server of this home that comes after. */
  const next = async () => {
    await runtime.close();
    return house(executors, { store, retention: NEVER });
  };
  return { place, store, add, discarded, next, ...runtime };
};

const refusal = (code: string, words: RegExp) => (error: unknown) =>
  error instanceof RepriseError &&
  error.code === code &&
  words.test(error.message);

test("[API-188] what is in the trash is removed for good, once, and nothing else is", async () => {
  const { store, add, discarded, operations, close } = await stage();
  const [gone, kept] = [await add(), await add()];
  await assert.rejects(
    operations.purgeSession(gone),
    refusal("wrong_state", /Delete it first/),
  );
  await operations.deleteSession(gone);
  await operations.deleteSession(kept);
  const first = await operations.purgeSession(gone, "once");
  assert.deepEqual(first, { session_id: gone });
  assert.deepEqual(discarded(), [gone]);
  assert.equal(await store.session(gone), null);
  assert.notEqual(await store.session(kept), null);
  assert.deepEqual(await operations.purgeSession(gone, "once"), first);
  assert.deepEqual(discarded(), [gone]);
  await assert.rejects(operations.purgeSession(gone), {
    code: "session_not_found",
  });
  assert.equal((await store.unswept()).length, 1, "its place is swept later");
  await close();
});

test("[API-188] a session whose directory another one works in stays, and the refusal names that one", async () => {
  const { add, discarded, operations, close } = await stage();
  const owner = await add();
  const { cwd } = await operations.showSession(owner);
  const guest = await add({ cwd });
  await operations.deleteSession(owner);
  await assert.rejects(
    operations.purgeSession(owner),
    refusal("wrong_state", new RegExp(guest)),
  );
  assert.deepEqual(discarded(), []);
  await operations.deleteSession(guest);
  await operations.purgeSession(guest);
  await operations.purgeSession(owner);
  assert.deepEqual(discarded(), [guest, owner]);
  await close();
});

test("[SES-193] a fork keeps what its checkpoints share with the session that is gone", async () => {
  const { place, store, add, operations, close } = await stage();
  const parent = await add();
  const { id: fork } = await operations.forkSession(parent, {});
  await operations.pauseSession(fork);
  const needed = await treesNeeded(store, fork);
  assert.notEqual(needed.size, 0);
  await operations.deleteSession(parent);
  await operations.purgeSession(parent);
  await operations.keepRetention();
  const trees = new Set(place.prunes.at(-1)?.trees);
  for (const tree of needed) assert.ok(trees.has(tree), tree);
  assert.equal((await operations.showSession(fork)).id, fork);
  await close();
});

test("[SES-190] what could not be finished is finished by the next server", async () => {
  const { place, store, add, discarded, operations, next } = await stage();
  const [asked, other] = [await add(), await add()];
  for (const id of [asked, other]) await operations.deleteSession(id);
  place.discardFails = mounted;
  await assert.rejects(operations.purgeSession(asked));
  assert.notEqual(await store.session(asked), null);
  place.discardFails = null;
  const server = await next();
  // Behind the look at its start.
  await server.operations.keepRetention();
  assert.deepEqual(discarded(), [asked]);
  assert.equal(await store.session(asked), null);
  assert.notEqual(await store.session(other), null);
  await server.close();
});

test("[SES-190] a request that was cut off behind the removal is answered as it would have been", async () => {
  const memory = memoryStore();
  let isCut = false;
  const store: Store = {
    ...memory,
    purge: async (place, session) => {
      await memory.purge(place, session);
      if (isCut)
        throw new RepriseError("storage_unavailable", "It was killed.");
    },
  };
  const { add, operations, next } = await stage(store);
  const id = await add();
  await operations.deleteSession(id);
  isCut = true;
  await assert.rejects(operations.purgeSession(id, "again"));
  isCut = false;
  const server = await next();
  assert.deepEqual(await server.operations.purgeSession(id, "again"), {
    session_id: id,
  });
  await server.close();
  problems.length = 0;
});

test("[SES-191] a session that was taken out of the trash is not removed any more, also when it is deleted again", async () => {
  const { place, store, add, discarded, operations, next } = await stage();
  const id = await add();
  await operations.deleteSession(id);
  place.discardFails = mounted;
  await assert.rejects(operations.purgeSession(id));
  place.discardFails = null;
  const { deleted_at } = await operations.undeleteSession(id);
  assert.equal(deleted_at, null);
  await operations.keepRetention();
  assert.notEqual(await store.session(id), null);
  await operations.deleteSession(id);
  const server = await next();
  assert.deepEqual((await server.operations.keepRetention()).purged, []);
  assert.deepEqual(discarded(), []);
  assert.notEqual(await store.session(id), null);
  await server.close();
});

test("[SES-192] a session at a place that does not answer is not removed, also not later", async () => {
  const { store, there, operations, close } = await twoPlaces();
  await operations.deleteSession(there);
  await close();
  const lost = new RepriseError("agentctl_unavailable", "It went away.");
  const far = new KeepingPlace(2);
  const away = await house(
    executorsOf(
      [LOCAL, () => new KeepingPlace(1)],
      [FAR, () => Promise.reject(lost)],
    ),
    { store, reachMs: 50 },
  );
  await assert.rejects(away.operations.purgeSession(there), {
    code: "agentctl_unavailable",
  });
  await away.close();
  const back = await house(
    executorsOf([LOCAL, () => new KeepingPlace(1)], [FAR, () => far]),
    { store },
  );
  assert.deepEqual((await back.operations.keepRetention()).purged, []);
  assert.deepEqual(await back.operations.purgeSession(there), {
    session_id: there,
  });
  assert.equal(await store.session(there), null);
  await back.close();
  problems.length = 0;
});

test("[TSK-75] [API-188] a task in the trash is removed for good when somebody asks; its sessions stay", async () => {
  const { store, operations, close } = await stage();
  const { id } = await operations.createTask(taskRequest());
  const other = await operations.createTask(taskRequest());
  await assert.rejects(
    operations.purgeTask(id),
    refusal("wrong_state", /Delete it first/),
  );
  const { id: session } = await operations.createSession(
    request({ task_id: id }),
  );
  await operations.deleteTask(id);
  await operations.deleteTask(other.id);
  await untilPurged(() => operations.purgeTask(id, "once"));
  assert.deepEqual(await operations.purgeTask(id, "once"), { task_id: id });
  assert.equal(await store.task(id), null);
  assert.notEqual(await store.task(other.id), null);
  assert.equal((await operations.showSession(session)).task_id, id);
  await assert.rejects(operations.purgeTask(id), { code: "task_not_found" });
  await close();
});

const treesNeeded = async (
  store: Store,
  session: SessionId,
): Promise<Set<string>> => {
  const trees = new Set<string>();
  for await (const { session_id, checkpoints } of store.needed())
    if (session_id === session)
      for (const { tree } of checkpoints) if (tree !== null) trees.add(tree);
  return trees;
};

/** As long as the sessions of a task are being ended, it is refused. */
const untilPurged = async (purge: () => Promise<unknown>): Promise<void> => {
  for (;;) {
    try {
      await purge();
      return;
    } catch (error) {
      if (!refusal("wrong_state", /being ended/)(error)) throw error;
      await new Promise(setImmediate);
    }
  }
};
