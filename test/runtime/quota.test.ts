/** A turn that waits for a quota goes on by itself, whatever happens to the agent and the server meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL, placeKey } from "../../src/contract/base/place.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import type { Executors } from "../../src/runtime/ports/executors.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { memoryStore } from "../../src/store/memory.ts";
import {
  house,
  type House,
  problems,
  promptsIn,
  request,
  turnEnded,
  until,
} from "./house.ts";

const BEGUN = new Date("2026-01-01T00:00:00.000Z");
const FILLED = new Date("2026-01-01T05:00:00.000Z");

/** An agent whose quota is used up with its first prompt, until `FILLED`. */
class LimitedPlace extends FakePlace {
  override onPrompt: FakePlace["onPrompt"] = ({ prompt_id }, agent) =>
    agent.speak(5, (range) => ({
      kind: "turn_ended",
      prompt_id,
      stop_reason: "error",
      usage: null,
      error: "429 quota exceeded",
      limit: { resets_at: FILLED.toISOString() },
      range,
    }));
}

/** A session whose turn waits for the quota. */
const limited = async (
  store: Store,
  place: FakePlace,
): Promise<{ runtime: House; id: SessionId }> => {
  const runtime = await house(fakeExecutors(place), {
    store,
    now: () => BEGUN,
  });
  const { id } = await runtime.operations.createSession(
    request({ prompt: "work", on_interrupt: "continue", checkpoints: false }),
  );
  await until(runtime, id, ({ type }) => type === "session.turn.interrupted");
  return { runtime, id };
};

/** The next server is up when the quota is filled again, and nobody wants anything of the session. */
const goesOn = async (
  store: Store,
  place: FakePlace,
  id: SessionId,
): Promise<void> => {
  const next = await house(fakeExecutors(place), { store, now: () => FILLED });
  await next.recovery.startup("startup");
  await until(next, id, turnEnded(2));
  const [first, second, ...more] = await promptsIn(next.operations, id);
  assert.equal(first, "work");
  assert.match(second ?? "", /interrupted|go on|continue/i);
  assert.deepEqual(more, []);
  await next.close();
};

test("[REC-36] [SES-27] it goes on when the server was down meanwhile, and the agent lived", async () => {
  const store = memoryStore();
  const place = new LimitedPlace();
  const { runtime, id } = await limited(store, place);
  await runtime.close();
  place.onPrompt = new FakePlace().onPrompt;
  await goesOn(store, place, id);
});

test("[REC-36] [SES-27] it goes on when the server was down meanwhile, and the agent had died", async () => {
  const store = memoryStore();
  const place = new LimitedPlace();
  const { runtime, id } = await limited(store, place);
  for (const agent of place.agentsById.values())
    agent.die({ kind: "killed", signal: "SIGKILL" });
  await until(runtime, id, ({ type }) => type === "session.execution.ended");
  await runtime.close();
  await goesOn(store, new FakePlace(), id);
});

test("[REC-36] [SES-27] it goes on when the session was paused and the server was down meanwhile", async () => {
  const store = memoryStore();
  const { runtime, id } = await limited(store, new LimitedPlace());
  const paused = await runtime.operations.pauseSession(id);
  assert.equal(paused.state, "PAUSED");
  await runtime.close();
  await goesOn(store, new FakePlace(), id);
});

test("[REC-36] [SES-27] it does not go on before its time", async () => {
  const store = memoryStore();
  const { runtime, id } = await limited(store, new LimitedPlace());
  await runtime.operations.pauseSession(id);
  await runtime.close();
  const place = new FakePlace();
  const early = await house(fakeExecutors(place), { store, now: () => BEGUN });
  await early.recovery.startup("startup");
  assert.equal((await early.operations.showSession(id)).state, "PAUSED");
  await early.close();
  assert.equal(place.orders.length, 0);
  await goesOn(store, new FakePlace(), id);
});

test("[REC-56] a server that starts reads no session that waits for its time, and has it go on then", async () => {
  const store = memoryStore();
  const { runtime, id } = await limited(store, new LimitedPlace());
  await runtime.operations.pauseSession(id);
  await runtime.close();
  const read: SessionId[] = [];
  const counted: Store = {
    ...store,
    load: (session, version) => {
      read.push(session);
      return store.load(session, version);
    },
  };
  let now = BEGUN;
  const next = await house(fakeExecutors(new FakePlace()), {
    store: counted,
    now: () => now,
  });
  await next.recovery.startup("startup");
  assert.deepEqual(read, []);
  now = FILLED;
  await until(next, id, turnEnded(2));
  await next.close();
});

test("[REC-56] with recovery off, what an earlier server left waits, and what this one cut off goes on", async () => {
  const store = memoryStore();
  const { runtime, id: left } = await limited(store, new LimitedPlace());
  await runtime.operations.pauseSession(left);
  await runtime.close();
  let now = BEGUN;
  const place = new LimitedPlace();
  const next = await house(fakeExecutors(place), { store, now: () => now });
  await next.recovery.startup("off");
  const { id } = await next.operations.createSession(
    request({ prompt: "work", on_interrupt: "continue", checkpoints: false }),
  );
  await until(next, id, ({ type }) => type === "session.turn.interrupted");
  place.onPrompt = new FakePlace().onPrompt;
  now = FILLED;
  await until(next, id, turnEnded(2));
  assert.equal((await next.operations.showSession(left)).state, "PAUSED");
  await next.close();
});

test("[REC-56] a row that is not true is corrected, and nothing goes on by it", async () => {
  const store = memoryStore();
  const runtime = await house(fakeExecutors(new FakePlace()), { store });
  const { id } = await runtime.operations.createSession(
    request({ prompt: "work", checkpoints: false }),
  );
  await until(runtime, id, turnEnded(1));
  await runtime.operations.pauseSession(id);
  await runtime.close();
  const due_at = BEGUN.toISOString();
  const place = { key: placeKey(LOCAL), term: await store.claim() };
  const last_seq = (await store.session(id))?.last_seq ?? 0;
  await store.attend(place, id, last_seq, { live: false, due_at });

  const corrected = Promise.withResolvers<void>();
  const next = await house(fakeExecutors(new FakePlace()), {
    store: {
      ...store,
      attend: async (...change) => {
        await store.attend(...change);
        corrected.resolve();
      },
    },
  });
  await next.recovery.startup("startup");
  await corrected.promise;
  await next.close();
  assert.deepEqual(await store.due(FILLED.toISOString(), null, 9), []);
  assert.equal((await store.session(id))?.last_seq, last_seq);
});

test("[REC-56] [REC-58] a server closes while what is due waits for a place that never answers", async () => {
  const store = memoryStore();
  const { runtime, id } = await limited(store, new LimitedPlace());
  await runtime.close();
  const isAsked = Promise.withResolvers<void>();
  let times = 0;
  const silent: Executors = {
    find: async () => null,
    // Start-up asks first, then what is due.
    obtain: () => {
      if (++times === 2) isAsked.resolve();
      return new Promise(() => undefined);
    },
    leave: async () => undefined,
    close: async () => undefined,
  };
  const now = () => FILLED;
  const next = await house(silent, { store, now, placesMs: 1 });
  await next.recovery.startup("startup");
  await isAsked.promise;
  await next.close();
  assert.ok((await store.session(id))?.agent_execution_id);
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
