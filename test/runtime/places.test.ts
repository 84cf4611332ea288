/** Sessions at several places: each place is looked after by itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PlaceId, SessionId } from "../../src/contract/base/id.ts";
import { LinkError } from "../../src/contract/link/link-error.ts";
import { LOCAL, placeKey } from "../../src/contract/base/place.ts";
import { FakePlace } from "../../src/runtime/fixtures/fake-place.ts";
import { Story } from "../../src/session/testing.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, id, request, turnEnded, until } from "./house.ts";
import {
  away,
  executorsOf,
  FAR,
  isReattached,
  running,
  seed,
} from "./several-places.ts";

/** How many agents may be coming up at a time. */
const AT_A_TIME = 8;

test("[REC-58] a place that never answers delays nobody, and its sessions are attached when it does", async () => {
  const store = memoryStore();
  const [near, far] = [new FakePlace(1), new FakePlace(2)];
  const here = await running(store, near, LOCAL);
  const there = await running(store, far, FAR);
  const answers = Promise.withResolvers<FakePlace>();
  const runtime = await house(
    executorsOf([LOCAL, () => near], [FAR, () => answers.promise]),
    { store, placesMs: 100 },
  );
  const startup = runtime.recovery.startup("startup");
  await until(runtime, here, isReattached);
  await startup;
  assert.deepEqual(far.asked, []);
  answers.resolve(far);
  await until(runtime, there, isReattached);
  await runtime.close();
});

test("[REC-58] a server closes although a place never answers", async () => {
  const store = memoryStore();
  await running(store, new FakePlace(), FAR);
  const runtime = await house(
    executorsOf([FAR, () => new Promise<FakePlace>(() => undefined)]),
    { store, placesMs: 1 },
  );
  assert.deepEqual(await runtime.recovery.startup("startup"), { running: 0 });
  await runtime.close();
});

test("[REC-58] a server that closes while it waits for a place tells nobody that the place failed", async () => {
  const store = memoryStore();
  const far = new FakePlace();
  const session = await running(store, far, FAR);
  const askedAgain = Promise.withResolvers<void>();
  let isLost = false;
  const reach = (): FakePlace | Promise<FakePlace> => {
    if (!isLost) return far;
    askedAgain.resolve();
    return new Promise<FakePlace>(() => undefined);
  };
  const runtime = await house(executorsOf([FAR, reach]), { store });
  await runtime.recovery.startup("startup");
  await until(runtime, session, isReattached);
  isLost = true;
  far.lose();
  await askedAgain.promise;
  await runtime.close();
  const events = await store.events(session, 0, 1000);
  const types = events.map(({ type }) => type);
  assert.ok(types.includes("session.agentctl_starting"));
  assert.ok(!types.includes("session.agentctl_error"));
});

test("[REC-34] an agent is attached, and the session told so, where agentctl cannot tell what it supports", async () => {
  const store = memoryStore();
  const place = new FakePlace();
  const session = await running(store, place, LOCAL);
  place.probe = async () => {
    throw new LinkError("internal", "It cannot be told.");
  };
  const executors = executorsOf([LOCAL, () => place]);
  const runtime = await house(executors, { store });
  assert.deepEqual(await runtime.recovery.startup("startup"), { running: 1 });
  await until(runtime, session, isReattached);
  await runtime.close();
});

test("[REC-55] [STO-44] a row that wrongly says that a session is live is corrected at the next start", async () => {
  const store = memoryStore();
  const session_id = SessionId.parse(id("ses"));
  const story = new Story({ session_id, place: FAR }).up().die();
  await seed(store, story);
  const { last_seq } = (await store.session(session_id)) ?? { last_seq: 0 };
  const wrong = { live: true, due_at: null };
  const place = { key: placeKey(FAR), term: await store.claim() };
  await store.attend(place, session_id, last_seq, wrong);
  assert.deepEqual(await store.live(null, 9), [session_id]);
  const runtime = await house(executorsOf(), { store });
  await runtime.recovery.startup("startup");
  assert.deepEqual(await store.live(null, 9), []);
  await runtime.close();
});

test("[REC-58] a server that closes while start-up waits for a place ends the wait without an error", async () => {
  const store = memoryStore();
  await running(store, new FakePlace(), FAR);
  const asked = Promise.withResolvers<void>();
  const silent = (): Promise<FakePlace> => {
    asked.resolve();
    return new Promise(() => undefined);
  };
  const runtime = await house(executorsOf([FAR, silent]), { store });
  const startup = runtime.recovery.startup("startup");
  await asked.promise;
  await runtime.close();
  assert.deepEqual(await startup, { running: 0 });
});

test("[REC-58] [REC-3] a place that cannot be had at first is recovered when it can: what was cut off there comes back", async () => {
  const store = memoryStore();
  const [near, far] = [new FakePlace(1), new FakePlace(2)];
  const here = await running(store, near, LOCAL);
  const cut = SessionId.parse(id("ses"));
  await seed(
    store,
    new Story({ session_id: cut, place: FAR }).up().queue(1).deliver(1),
  );
  let tries = 0;
  const runtime = await house(
    executorsOf(
      [LOCAL, () => near],
      [FAR, () => (tries++ === 0 ? away() : far)],
    ),
    { store },
  );
  assert.deepEqual(await runtime.recovery.startup("startup"), { running: 1 });
  await until(runtime, here, isReattached);
  await until(runtime, cut, ({ type }) => type === "session.execution.ended");
  await far.waitForStarts(1);
  assert.equal(far.orders[0]?.session_id, cut);
  assert.deepEqual(near.orders.length, 1, "the one it was started with");
  await runtime.close();
});

test("[REC-58] sessions that wait for a place that does not answer keep no other from starting", async () => {
  const store = memoryStore();
  const waiting: SessionId[] = [];
  for (let n = 0; n < AT_A_TIME + 2; n++) {
    const session_id = SessionId.parse(id("ses"));
    await seed(store, new Story({ session_id, place: FAR }).up().die());
    waiting.push(session_id);
  }
  const answers = Promise.withResolvers<FakePlace>();
  const asked = Promise.withResolvers<void>();
  let times = 0;
  const silent = (): Promise<FakePlace> => {
    if (++times === AT_A_TIME) asked.resolve();
    return answers.promise;
  };
  const near = new FakePlace();
  const runtime = await house(executorsOf([LOCAL, () => near], [FAR, silent]), {
    store,
  });
  const { operations } = runtime;
  for (const session of waiting)
    await operations.queuePrompt(session, { text: "go on" });
  await asked.promise;
  const { id: quick } = await operations.createSession(
    request({ prompt: "hello", checkpoints: false }),
  );
  await until(runtime, quick, turnEnded(1));
  answers.resolve(new FakePlace());
  for (const session of waiting) await until(runtime, session, turnEnded(1));
  await runtime.close();
});

test("[REC-62] an agent that lives and has ended in the journal is stopped when its place is reached; others go on", async () => {
  const store = memoryStore();
  const place = new FakePlace();
  const here = await running(store, place, LOCAL);
  await running(store, place, LOCAL, { journal: "ended" });
  const newer = await running(store, place, LOCAL, { journal: "older" });
  const stopped = nextStop(place);
  const executors = executorsOf([LOCAL, () => place]);
  const runtime = await house(executors, { store });
  await runtime.recovery.startup("startup");
  await stopped;
  const living = [...place.agentsById.values()].filter(({ alive }) => alive);
  assert.deepEqual(
    new Set(living.map(({ order }) => order.session_id)),
    new Set([here, newer]),
  );
  await runtime.close();
});

test("[REC-62] so it is when the place is first reached because somebody wants something", async () => {
  const store = memoryStore();
  const place = new FakePlace();
  await running(store, place, LOCAL, { journal: "ended" });
  const stopped = nextStop(place);
  const executors = executorsOf([LOCAL, () => place]);
  const runtime = await house(executors, { store });
  await runtime.operations.createSession(request({ checkpoints: false }));
  await stopped;
  await runtime.close();
});

test("[REC-62] it is stopped once each time that its place is reached", async () => {
  const store = memoryStore();
  const place = new FakePlace();
  const here = await running(store, place, LOCAL);
  await running(store, place, LOCAL, { journal: "ended" });
  const stopped = Promise.withResolvers<void>();
  let stops = 0;
  place.stop = async () => {
    stops += 1;
    stopped.resolve();
  };
  const executors = executorsOf([LOCAL, () => place]);
  const runtime = await house(executors, { store });
  await runtime.recovery.startup("startup");
  await stopped.promise;
  await until(runtime, here, isReattached);
  await runtime.close();
  assert.equal(stops, 1);
});

test("[REC-61] [EXE-20] where another place answers, executions that it does not know count as gone and the journal says why", async () => {
  const store = memoryStore();
  const [first, second] = [new FakePlace(1), new FakePlace(2)];
  const ids = [PlaceId.parse(id("plc")), PlaceId.parse(id("plc"))] as const;
  [first.placeId, second.placeId] = ids;
  const before = await house(executorsOf([LOCAL, () => first]), { store });
  const { id: session } = await before.operations.createSession(
    request({ prompt: "hello", checkpoints: false }),
  );
  const told = await until(before, session, turnEnded(1));
  await before.close();
  const again = await house(executorsOf([LOCAL, () => first]), { store });
  assert.deepEqual(await again.recovery.startup("startup"), { running: 1 });
  await again.close();

  const runtime = await house(executorsOf([LOCAL, () => second]), { store });
  assert.deepEqual(await runtime.recovery.startup("startup"), { running: 0 });
  const after = await store.events(session, told.at(-1)?.seq ?? 0, 1000);
  const news = after.flatMap((event) => {
    if (event.type === "session.notice") return [event.data.code];
    if (event.type !== "session.execution.ended") return [];
    return [event.data.ending.kind];
  });
  assert.deepEqual(news, ["place_replaced", "vanished"]);
  const { resume } = await runtime.operations.resumeSession(session);
  assert.equal(resume?.grade, "native");
  await runtime.close();
});

test("[REC-61] [EXE-20] a place whose id was lost keeps the agents that it knows", async () => {
  const store = memoryStore();
  const place = new FakePlace();
  place.placeId = PlaceId.parse(id("plc"));
  const executors = executorsOf([LOCAL, () => place]);
  const before = await house(executors, { store });
  const { id: session } = await before.operations.createSession(
    request({ prompt: "hello", checkpoints: false }),
  );
  await until(before, session, turnEnded(1));
  await before.close();

  place.placeId = PlaceId.parse(id("plc"));
  const runtime = await house(executors, { store });
  assert.deepEqual(await runtime.recovery.startup("startup"), { running: 1 });
  await runtime.operations.queuePrompt(session, { text: "still there?" });
  await until(runtime, session, turnEnded(2));
  assert.equal(place.orders.length, 1);
  await runtime.close();
});

/** Resolves when an agent there has been stopped. */
const nextStop = (place: FakePlace): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = place.stop.bind(place);
  place.stop = async (order) => {
    await stop(order);
    resolve();
  };
  return promise;
};
