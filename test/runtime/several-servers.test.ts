/** A server that shares its store with others and claims each place by itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL, placeKey } from "../../src/contract/base/place.ts";
import { FakePlace } from "../../src/runtime/fixtures/fake-place.ts";
import type { Ownership } from "../../src/runtime/ports/ownership.ts";
import { homeOwnership } from "../../src/serve/home-ownership.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, turnEnded, until } from "./house.ts";
import { checkpointed, executorsOf, FAR } from "./several-places.ts";

const notHeld = { code: "superseded", message: /does not hold .*remote\/far/ };

test("[REC-89] to read claims no place, starts nothing there and keeps nothing; to change something claims it", async () => {
  const stage = await unclaimed();
  const { runtime, session } = stage;
  const { operations } = runtime;
  assert.equal((await operations.showSession(session)).id, session);
  const status = await operations.sessionStatus(session);
  assert.equal(status.checked_at, null);
  await operations.listSessions({ limit: 10 });
  await operations.listEvents(session, 0, 10);
  await operations.listMessages(session, { limit: 10 });
  await operations.listCheckpoints(session);
  await operations.listExecutors();
  await assert.rejects(operations.showDiff(session, { text: false }), notHeld);
  await assert.rejects(operations.exportSession(session), notHeld);
  await assert.rejects(operations.requireHeard(session), notHeld);
  await assert.rejects(operations.listAgents({}), { code: "superseded" });
  const following = operations.follow(session, 0, AbortSignal.timeout(60_000));
  await assert.rejects(following.next(), notHeld);
  assert.deepEqual([stage.claimed, stage.reached], [[], []]);
  assert.deepEqual(runtime.kept.ids(), new Set());

  await operations.queuePrompt(session, { text: "hello" });
  await until(runtime, session, turnEnded(1));
  assert.deepEqual(stage.claimed, ["remote/far"]);
  assert.deepEqual(new Set(stage.reached), new Set(["remote/far"]));
  await runtime.close();
});

/** A session at rest far away, and a server that has claimed nothing yet. */
const unclaimed = async () => {
  const store = memoryStore();
  const session = await checkpointed(store, FAR, 1);
  const claimed: string[] = [];
  const reached: string[] = [];
  const home = homeOwnership(store, await store.claim());
  const ownership: Ownership = {
    ...home,
    coversPlaces: false,
    claim: (at) => {
      claimed.push(placeKey(at));
      return home.claim(at);
    },
  };
  const place = new FakePlace();
  const reach = (key: string) => () => {
    reached.push(key);
    return place;
  };
  const executors = executorsOf(
    [LOCAL, reach(placeKey(LOCAL))],
    [FAR, reach(placeKey(FAR))],
  );
  const runtime = await house(executors, { store, ownership });
  return { runtime, session, claimed, reached };
};
