/** A server that shares its store with others and claims each place by itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ExecutionId, SessionId } from "../../src/contract/base/id.ts";
import { type PlaceRef, placeKey } from "../../src/contract/base/place.ts";
import type { Event } from "../../src/contract/event/event.ts";
import type { StartOrder } from "../../src/contract/link/link.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { FakePlace } from "../../src/runtime/fixtures/fake-place.ts";
import type { Ownership } from "../../src/runtime/ports/ownership.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { homeOwnership } from "../../src/serve/home-ownership.ts";
import type { State } from "../../src/session/state/state.ts";
import { Story } from "../../src/session/testing.ts";
import { derivedBy } from "../../src/session/view/derive.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, id, turnEnded, until } from "./house.ts";
import { checkpointed, executorsOf, FAR, seed } from "./several-places.ts";

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
  const following = operations.follow(
    session,
    0,
    AbortSignal.timeout(patience(60_000)),
  );
  await assert.rejects(following.next(), notHeld);
  assert.deepEqual([stage.claimed, stage.reached], [[], []]);
  assert.deepEqual(runtime.kept.ids(), new Set());

  await operations.queuePrompt(session, { text: "hello" });
  await until(runtime, session, turnEnded(1));
  assert.deepEqual(stage.claimed, ["remote/far"]);
  assert.deepEqual(new Set(stage.reached), new Set(["remote/far"]));
  await runtime.close();
});

test("[REC-92] agentctl is told the term of its own place, and captures are numbered by it", async () => {
  const stage = await unclaimed();
  const { runtime, session, store } = stage;
  await runtime.operations.queuePrompt(session, { text: "hello" });
  await until(runtime, session, turnEnded(1));
  const saved = await until(runtime, session, isTurnCaptured);
  assert.deepEqual(new Set(stage.terms), new Set([FAR_TERM]));
  const [order] = saved.flatMap((event) =>
    isTurnCaptured(event) ? [event.data.checkpoint.order ?? 0] : [],
  );
  assert.equal(Math.floor((order ?? 0) / 2 ** 32), FAR_TERM);
  assert.ok((await store.term()) < FAR_TERM);
  await runtime.close();
});

test("[REC-91] recovery goes by what the journal holds once the place is claimed", async () => {
  const inner = memoryStore();
  const place = new FakePlace();
  const session_id = SessionId.parse(id("ses"));
  const execution_id = ExecutionId.parse(id("exe"));
  const story = new Story({ session_id, place: FAR });
  story.begin(execution_id).ready();
  await seed(inner, story);
  const before = story.state;
  await place.start(startOrder(execution_id, before));
  story.given({ type: "execution.lose", epoch: 1 });
  const term = await inner.claim();
  const ownership: Ownership = {
    ...homeOwnership(inner, term),
    coversPlaces: false,
    // Until then the other server goes on.
    claim: async () => {
      const events = story.events.slice(before.seq);
      const at = story.state.times.last_active_at;
      await inner.append({
        place: { key: placeKey(FAR), term },
        session_id,
        after: before.seq,
        events,
        ...derivedBy(events, before, story.state, at),
        snapshot: null,
        receipt: null,
        env: null,
      });
      return term;
    },
  };
  const executors = executorsOf([FAR, () => place]);
  const runtime = await house(executors, { store: inner, ownership });
  place.asked.length = 0;
  assert.deepEqual(await runtime.recovery.startup("startup"), { running: 0 });
  assert.ok(place.asked.every((asked) => !asked.startsWith("attach")));
  await runtime.close();
});

const startOrder = (
  execution_id: ExecutionId,
  { id: session_id, agent, workspace }: State,
): StartOrder => ({
  execution_id,
  session_id,
  epoch: 1,
  definition: agent.definition,
  cwd: workspace.cwd,
  env: {},
  open: { kind: "new" },
  predecessors: [],
  deadline_ms: 1000,
});

/** By which the place far away is claimed, whatever the term of the home is. */
const FAR_TERM = 1000;

const isTurnCaptured = (
  event: Event,
): event is Extract<Event, { type: "session.checkpoint.saved" }> =>
  event.type === "session.checkpoint.saved" &&
  event.data.checkpoint.kind === "turn";

/** A session at rest far away, and a server that has claimed nothing yet. */
const unclaimed = async () => {
  const inner = memoryStore();
  const session = await checkpointed(inner, FAR, 1);
  const term = await inner.claim();
  // The store in memory knows the term of the home alone.
  const store: Store = {
    ...inner,
    append: (change) => {
      assert.equal(change.place.term, FAR_TERM);
      return inner.append({ ...change, place: { ...change.place, term } });
    },
  };
  const claimed: string[] = [];
  const reached: string[] = [];
  const terms: number[] = [];
  const ownership: Ownership = {
    ...homeOwnership(store, term),
    coversPlaces: false,
    claim: async (at) => {
      claimed.push(placeKey(at));
      return FAR_TERM;
    },
  };
  const place = new FakePlace();
  const obtain = async (at: PlaceRef, by: number): Promise<FakePlace> => {
    reached.push(placeKey(at));
    terms.push(by);
    return place;
  };
  const nothing = async (): Promise<void> => undefined;
  const runtime = await house(
    { obtain, find: obtain, leave: nothing, close: nothing },
    { store, ownership },
  );
  return { runtime, store, session, claimed, reached, terms };
};
