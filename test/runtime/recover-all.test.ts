/** `recovery: "all"`: idle sessions get their agent back when the server starts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import { SessionId } from "../../src/contract/base/id.ts";
import { checkpointId } from "../../src/contract/session/checkpoint.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { Story, tree } from "../../src/session/testing.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, id, problems, request, turnEnded, until } from "./house.ts";
import { seed } from "./several-places.ts";

/** Sessions that wait for input, and whose agents have died. */
const idle = async (store: Store, count: number): Promise<SessionId[]> => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place), { store });
  const ids: SessionId[] = [];
  for (let n = 0; n < count; n++) {
    const wish = request({ prompt: "hello", checkpoints: false });
    const { id } = await runtime.operations.createSession(wish);
    await until(runtime, id, turnEnded(1));
    ids.push(id);
  }
  for (const agent of place.agentsById.values())
    agent.die({ kind: "killed", signal: "SIGKILL" });
  for (const id of ids)
    await until(runtime, id, ({ type }) => type === "session.execution.ended");
  await runtime.close();
  return ids;
};

const isBack = (event: Event): boolean =>
  event.type === "session.resumed" && event.data.resume.grade === "native";

test("[REC-35] with all, idle sessions get their agent back, at most 8 at a time and without holding up requests", async () => {
  const store = memoryStore();
  const ids = await idle(store, 12);
  const place = new FakePlace();
  place.holdStarts = true;
  const runtime = await house(fakeExecutors(place), { store });
  assert.deepEqual(await runtime.recovery.startup("all"), { running: 0 });
  await place.waitForStarts(8);
  assert.equal(place.orders.length, 8);
  const starting = await store.sessions({ states: ["STARTING"], limit: 100 });
  assert.equal(starting.sessions.length, 8, "the others are not touched yet");
  assert.equal(
    (await runtime.operations.showSession(ids[0] ?? never())).turn_count,
    1,
  );
  place.holdStarts = false;
  place.releaseStarts();
  for (const id of ids) await until(runtime, id, isBack);
  assert.equal(place.orders.length, 12);
  await runtime.close();
});

test("[REC-35] [REC-3] what was paused stays as it is, and without all so does what is idle", async () => {
  const store = memoryStore();
  const [first, second] = await idle(store, 2);
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place), { store });
  await runtime.recovery.startup("startup");
  assert.ok(first !== undefined && second !== undefined);
  await runtime.operations.pauseSession(first);
  assert.equal(place.orders.length, 0);
  await runtime.recovery.startup("all");
  await until(runtime, second, isBack);
  assert.deepEqual(
    place.orders.map(({ session_id }) => session_id),
    [second],
  );
  assert.equal((await runtime.operations.showSession(first)).state, "PAUSED");
  await runtime.close();
});

/** It waits for input without an agent; what its agent is to remember is set aside, and it has no token until then. */
const rewound = async (store: Store): Promise<SessionId> => {
  const session_id = SessionId.parse(id("ses"));
  const story = new Story({ session_id, checkpoints: true }).up().captured(1);
  for (const n of [1, 2])
    story
      .queue(n)
      .deliver(n)
      .endTurn(n)
      .captured(n + 1);
  const { newest } = story.state.checkpoints;
  story.given({
    type: "session.rewind",
    seen: { last_turn: 2, checkpoint_id: newest?.id ?? null },
    turn: 1,
    checkpoint_id: checkpointId(1),
    tree: tree(1),
    memory: { tree: tree(99), token: "old", cwd: "/work", renamed: true },
    own: null,
    others: [],
  });
  story.die().captured(50).given({ type: "rewind.done", changes: 1 });
  assert.equal(story.name, "WAITING_FOR_INPUT");
  assert.equal(story.state.agent.token, null);
  await seed(store, story);
  return session_id;
};

test("[REC-102] with all, a session that was rewound while it waited for input gets its agent back, too", async () => {
  const store = memoryStore();
  const session = await rewound(store);
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place), { store });
  await runtime.recovery.startup("all");
  await until(runtime, session, isBack);
  assert.equal(place.orders[0]?.open.kind, "native");
  await runtime.close();
});

const never = (): never => {
  throw new Error("there is one");
};

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
