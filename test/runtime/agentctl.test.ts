/** The agentctl of a session is one thing, its agent another. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import { LinkError } from "../../src/contract/link/link-error.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { memoryStore } from "../../src/store/memory.ts";
import {
  type House,
  house,
  problems,
  request,
  turnEnded,
  until,
} from "./house.ts";

const bare = { prompt: "hello", checkpoints: false };

/** A session whose agent waits, and the newest event of its journal. */
const idle = async (runtime: House) => {
  const { id } = await runtime.operations.createSession(request(bare));
  const seen = await until(runtime, id, turnEnded(1));
  return { id, seq: seen.at(-1)?.seq ?? 0 };
};

const reattached = (event: Event): boolean =>
  event.type === "session.resumed" && event.data.resume.grade === "reattached";

const typesOf = (events: readonly Event[]): string[] =>
  events.map(({ type }) => type);

/** The agents of an agentctl that died, in the hands of its successor. */
const takeOver = (from: FakePlace, to: FakePlace): void => {
  for (const [execution, agent] of from.agentsById)
    to.agentsById.set(execution, agent);
};

test("[REC-34] [SES-47] an agentctl that takes another one's place is told, and the row follows it", async () => {
  const first = new FakePlace(11);
  const second = new FakePlace(22);
  const store = memoryStore();
  const runtime = await house(fakeExecutors(first, second), { store });
  const { id, seq } = await idle(runtime);
  takeOver(first, second);
  first.lose();
  const seen = await until(runtime, id, reattached, seq);
  assert.deepEqual(
    typesOf(seen).filter((type) => type !== "session.state_changed"),
    ["session.agentctl_starting", "session.agentctl_ready", "session.resumed"],
  );
  assert.deepEqual(
    (await store.executors()).map(({ status, pid }) => ({ status, pid })),
    [{ status: "ready", pid: 22 }],
  );
  await runtime.close();
});

test("[REC-34] an agentctl that cannot be had is told once, and that it is back", async () => {
  const first = new FakePlace(11);
  const second = new FakePlace(22);
  const store = memoryStore();
  const runtime = await house(fakeExecutors(first, null, null, second), {
    store,
  });
  const { id, seq } = await idle(runtime);
  takeOver(first, second);
  first.lose();
  const seen = await until(runtime, id, reattached, seq);
  assert.deepEqual(
    typesOf(seen).filter((type) => type !== "session.state_changed"),
    [
      "session.agentctl_starting",
      "session.agentctl_error",
      "session.agentctl_ready",
      "session.resumed",
    ],
  );
  await runtime.close();
});

test("[REC-34] [P10] a server that dies while agentctl is away finds the session again", async () => {
  const place = new FakePlace(11);
  const store = memoryStore();
  const away = fakeExecutors(place, ...Array.from({ length: 50 }, () => null));
  const first = await house(away, { store });
  const { id, seq } = await idle(first);
  place.lose();
  await until(first, id, ({ type }) => type === "session.agentctl_error", seq);
  await first.close();
  assert.deepEqual(
    (await store.executors()).map(({ status }) => status),
    ["error"],
  );

  const next = new FakePlace(22);
  takeOver(place, next);
  const second = await house(fakeExecutors(next), { store });
  assert.deepEqual(await second.recovery.startup("lazy"), { running: 1 });
  await second.close();
});

test("[REC-34] a reattach asks agentctl everything at once and is one append", async () => {
  const place = new FakePlace(11);
  const store = memoryStore();
  const first = await house(fakeExecutors(place), { store });
  const { id, seq } = await idle(first);
  await first.close();

  const next = new FakePlace(22);
  takeOver(place, next);
  const isAttached = Promise.withResolvers<void>();
  const { attach } = next;
  next.attach = async (order) => {
    await attach.call(next, order);
    isAttached.resolve();
  };
  // It answers only once it was also asked for the agent.
  next.probe = async () => {
    await isAttached.promise;
    return next.supports;
  };
  const appends: string[][] = [];
  const counted: Store = {
    ...store,
    append: (change) => {
      appends.push(typesOf(change.events));
      return store.append(change);
    },
  };
  const second = await house(fakeExecutors(next), { store: counted });
  await second.recovery.startup("lazy");
  assert.deepEqual(appends, [
    ["session.agentctl_starting", "session.agentctl_ready", "session.resumed"],
  ]);
  assert.deepEqual(typesOf(await store.events(id, seq, 10)), appends.flat());
  await second.close();
});

test("[API-119] the agent is paused: agentctl is ready, and when it is gone too, it has stopped", async () => {
  const place = new FakePlace(11);
  const executors = fakeExecutors(place, new FakePlace(22));
  const runtime = await house(executors);
  const { operations } = runtime;
  const { id } = await idle(runtime);
  await operations.pauseSession(id);
  const status = async () =>
    (await operations.sessionStatus(id)).executor_status;
  const rows = async () =>
    (await operations.listExecutors()).executors.map((row) => [
      row.status,
      row.pid,
    ]);
  assert.equal(await status(), "ready");
  assert.deepEqual(await rows(), [["ready", 11]]);

  place.lose();
  await place.closed;
  assert.deepEqual(await rows(), [["stopped", null]]);
  assert.equal(await status(), "stopped");
  await operations.resumeSession(id);
  assert.equal(await status(), "ready");
  assert.deepEqual(await rows(), [["ready", 22]]);
  await runtime.close();
});

test("[SES-48] [LNK-52] an agentctl of an older release cannot be probed, and is used all the same", async () => {
  const place = new FakePlace();
  place.probe = async () => {
    throw new LinkError("unknown_method", "There is no method probe.");
  };
  const store = memoryStore();
  const runtime = await house(fakeExecutors(place), { store });
  await idle(runtime);
  const [row] = await store.executors();
  assert.equal(row?.supports_session_resume, true);
  assert.equal(row?.supports_workspace_only, false);
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});

test("[SBX-12] an executor that does not know whether it makes sandboxes makes none", async () => {
  const runtime = await house(fakeExecutors(new FakePlace()));
  const { places } = await runtime.operations.listExecutors();
  assert.deepEqual(
    places.map(({ sandbox }) => sandbox?.available),
    [false],
  );
  assert.match(places[0]?.sandbox?.why ?? "", /makes no sandboxes/);
  await runtime.close();
});
