/** A place that another server takes over is dropped alone; with the home the server stops. */
// Alone: it leaves problems, of which others have none.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionId } from "../../src/contract/base/id.ts";
import { LinkError } from "../../src/contract/link/link-error.ts";
import {
  LOCAL,
  type PlaceRef,
  placeKey,
} from "../../src/contract/base/place.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";
import { FakePlace } from "../../src/runtime/fixtures/fake-place.ts";
import type { PlaceTerm, Store } from "../../src/runtime/ports/store.ts";
import { homeOwnership } from "../../src/serve/home-ownership.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { type House, house, quiet, turnEnded, until } from "./house.ts";
import {
  codeAt,
  executorsOf,
  FAR,
  isReattached,
  running,
} from "./several-places.ts";

/** What the agent has said when it is ready. */
const READY_BYTES = 10;
type Refuse = (
  method: "prompt" | "stop" | "start" | "acknowledge" | "checkpoint",
) => void;
const takenOver = { code: "superseded", message: /the place remote\/far/ };

test("[REC-67] [REC-68] a place that another server has claimed is dropped alone, with all that was kept of it", async () => {
  const stage = await twoPlaces();
  const { runtime, here, there } = stage;
  const { operations, held, kept } = runtime;
  await operations.queuePrompt(there, {
    text: "hello",
    caller_env: { KEY: "secret" },
  });
  await until(runtime, there, turnEnded(1));
  await operations.sessionStatus(there);
  const following = followed(runtime, there);
  await following.begun;
  const told = assert.rejects(following.over, takenOver);
  assert.ok(kept.ids().has(there));

  stage.takeOver(FAR);
  await assert.rejects(operations.queuePrompt(there, { text: "more" }), {
    code: "superseded",
  });
  await told;
  await held.drain();
  assert.deepEqual(kept.ids(), new Set([here]));
  assert.deepEqual(stage.left, ["remote/far"]);

  await operations.queuePrompt(here, { text: "hello" });
  await until(runtime, here, turnEnded(1));
  await assert.rejects(
    operations.queuePrompt(there, { text: "again", caller_env: { KEY: "x" } }),
    takenOver,
  );
  await assert.rejects(operations.resumeSession(there), takenOver);
  await assert.rejects(operations.requireHeard(there), takenOver);
  await assert.rejects(followed(runtime, there).over, takenOver);
  // What is written can be read; to read it keeps nothing.
  assert.equal((await operations.showSession(there)).id, there);
  assert.equal((await operations.sessionStatus(there)).session_id, there);
  assert.deepEqual(kept.ids(), new Set([here]));
  assert.equal(await isStopped(runtime), false);
  await runtime.close();
});

test("[REC-68] so is one whose agentctl obeys another server, and what could not be made durable there is left to that one", async () => {
  const stage = await twoPlaces();
  const { runtime, far, here, there } = stage;
  const { operations, held, kept } = runtime;
  far.onPrompt = () => undefined;
  await operations.queuePrompt(there, { text: "hello" });
  await until(
    runtime,
    there,
    ({ type }) => type === "session.prompt.delivered",
  );
  stage.now.isFull = true;
  const [agent] = far.agentsById.values();
  agent?.say("words that find no room");
  stage.now.isObeyingAnother = true;
  far.lose();
  await eventually(
    () => held.isHeld(FAR),
    (isHeld) => !isHeld,
  );
  await held.drain();
  assert.deepEqual(kept.ids(), new Set([here]));
  assert.ok(far.acknowledged.every(({ to }) => to <= READY_BYTES));
  await assert.rejects(
    operations.queuePrompt(there, { text: "hello" }),
    takenOver,
  );
  assert.equal(await isStopped(runtime), false);
  await runtime.close();
});

/** Each asks one kind of order of the agentctl far away. */
const orders: Record<
  string,
  (stage: Awaited<ReturnType<typeof twoPlaces>>, refuse: Refuse) => unknown
> = {
  prompt: async ({ runtime, there }, refuse) => {
    refuse("prompt");
    await runtime.operations.queuePrompt(there, { text: "hello" });
  },
  stop: async ({ runtime, there }, refuse) => {
    refuse("stop");
    const paused = runtime.operations.pauseSession(there);
    await assert.rejects(paused, takenOver);
  },
  start: async ({ runtime, there }, refuse) => {
    await runtime.operations.pauseSession(there);
    refuse("start");
    const resumed = runtime.operations.resumeSession(there);
    await assert.rejects(resumed, takenOver);
  },
  acknowledge: ({ far }, refuse) => {
    refuse("acknowledge");
    const [agent] = far.agentsById.values();
    agent?.say("words");
  },
  checkpoint: async ({ runtime, there }, refuse) => {
    refuse("checkpoint");
    await runtime.operations.queuePrompt(there, { text: "hello" });
  },
};

for (const [order, ask] of Object.entries(orders))
  test(`[REC-87] a place that obeys another server is lost when it refuses an order over a connection that stands: ${order}`, async (t) => {
    const stage = await twoPlaces();
    const { runtime, store, far, here, there } = stage;
    await ask(stage, (method) => {
      if (method === "checkpoint")
        t.mock.method(far.workspaces, method, obeysAnother);
      else t.mock.method(far, method, obeysAnother);
    });
    await eventually(
      () => runtime.held.isHeld(FAR),
      (isHeld) => !isHeld,
      5000,
    );
    await runtime.held.drain();
    assert.deepEqual(runtime.kept.ids(), new Set([here]));
    assert.deepEqual(stage.left, ["remote/far"]);
    const types = (await store.events(there, 0, 1000)).map(({ type }) => type);
    assert.doesNotMatch(types.join(" "), /failed|error/);
    assert.notEqual((await store.session(there))?.state, "ERROR");
    await runtime.close();
  });

test("[REC-68] the log says that the sessions of a lost place are another server's, and not that agentctl is away", async (t) => {
  const words: string[] = [];
  for (const level of ["warn", "error"] as const)
    t.mock.method(quiet, level, (_: object, said: string) => words.push(said));
  const left = "another server has this place; its sessions are left to it";

  const lost = await twoPlaces();
  lost.now.isObeyingAnother = true;
  lost.far.lose();
  await eventually(
    () => words.includes(left),
    (isTold) => isTold,
  );
  await lost.runtime.close();

  const stage = await twoPlaces();
  stage.takeOver(FAR);
  await assert.rejects(stage.runtime.operations.recoverSession(stage.there), {
    code: "superseded",
  });
  await stage.runtime.close();

  assert.doesNotMatch(words.join(), /is away|could not/);
  words.length = 0;
  const { store, there } = stage;
  const next = await house(
    executorsOf([LOCAL, () => stage.near], [FAR, obeysAnother]),
    { store },
  );
  assert.deepEqual(await next.recovery.startup("startup"), { running: 1 });
  await next.held.drain();
  assert.ok(words.includes(left));
  assert.equal((await next.operations.showSession(there)).id, there);
  await next.close();
  assert.doesNotMatch(words.join(), /is away|could not/);
});

test("[REC-73] [REC-68] upkeep goes on at the other places when one was lost, and names that one; with the home it is refused", async () => {
  const stage = await twoPlaces();
  const { operations, held } = stage.runtime;
  stage.takeOver(FAR);
  await assert.rejects(operations.queuePrompt(stage.there, { text: "hello" }), {
    code: "superseded",
  });
  await held.drain();
  const collected = await operations.collectGarbage({ dry_run: false });
  const read = await operations.collectGarbage({ dry_run: true, verify: true });
  const use = await operations.showDiskUse();
  for (const { places } of [collected, read.verification ?? {}, use])
    assert.deepEqual(
      [codeAt(places, LOCAL), codeAt(places, FAR)],
      [null, "superseded"],
    );
  await operations.keepRetention();

  await stage.store.claim();
  await assert.rejects(operations.collectGarbage({ dry_run: false }), {
    code: "superseded",
  });
  await assert.rejects(operations.showDiskUse(), { code: "superseded" });
  await stage.runtime.close();
});

test("[REC-69] [REC-11] a server that lost the home itself stops", async () => {
  const { runtime, store, here } = await twoPlaces();
  await store.claim();
  await assert.rejects(
    runtime.operations.queuePrompt(here, { text: "hello" }),
    { code: "superseded" },
  );
  await runtime.superseded;
  await runtime.close();
});

test("[REC-70] a server that closes gives up all its places, and keeps nothing of them", async () => {
  const stage = await twoPlaces();
  const waiting = followed(stage.runtime, stage.here);
  await waiting.begun;
  const told = assert.rejects(waiting.over, { code: "agentctl_unavailable" });
  await stage.runtime.close();
  await told;
  assert.deepEqual(stage.left.toSorted(), ["remote/far", "standalone/local"]);
  assert.deepEqual(stage.released, stage.left);
  assert.deepEqual(stage.runtime.kept.ids(), new Set());
});

/** A server with a running agent here and one far away. */
const twoPlaces = async () => {
  const inner = memoryStore();
  const far = new FakePlace(2);
  const near = new FakePlace(1);
  const here = await running(inner, near, LOCAL);
  const there = await running(inner, far, FAR, { checkpoints: true });
  const taken = new Set<string>();
  const now = { isFull: false, isObeyingAnother: false };
  const check = ({ key }: PlaceTerm): void => {
    if (taken.has(key))
      throw new RepriseError("superseded", `Another server has ${key}.`);
    if (now.isFull && key === placeKey(FAR))
      throw new RepriseError("storage_full", "The disk is full.");
  };
  const store: Store = {
    ...inner,
    append: async (change) => {
      check(change.place);
      await inner.append(change);
    },
  };
  const reachFar = (): FakePlace =>
    now.isObeyingAnother ? obeysAnother() : far;
  const left: string[] = [];
  const released: string[] = [];
  const ownership = homeOwnership(store, await store.claim());
  const runtime = await house(
    {
      ...executorsOf([LOCAL, () => near], [FAR, reachFar]),
      leave: async (at) => void left.push(placeKey(at)),
    },
    {
      store,
      ownership: {
        ...ownership,
        release: async (at) => void released.push(placeKey(at)),
      },
    },
  );
  await runtime.recovery.startup("startup");
  await until(runtime, here, isReattached);
  await until(runtime, there, isReattached);
  return {
    runtime,
    store,
    here,
    there,
    near,
    far,
    left,
    released,
    now,
    takeOver: (place: PlaceRef) => taken.add(placeKey(place)),
  };
};

const obeysAnother = (): never => {
  throw new LinkError("term_superseded", "term 1 was superseded by 2");
};

/** Follows a session from its end on: `begun` when it listens. */
const followed = ({ operations }: House, session: SessionId) => {
  const begun = Promise.withResolvers<void>();
  const follow = async (): Promise<void> => {
    const signal = AbortSignal.timeout(patience(5000));
    for await (const batch of operations.follow(session, 0, signal))
      if (batch.length > 0) begun.resolve();
  };
  return { begun: begun.promise, over: follow() };
};

const isStopped = ({ superseded }: House): Promise<boolean> =>
  Promise.race([
    superseded.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ]);
