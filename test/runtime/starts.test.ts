import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { within } from "../../src/kit/time/deadline.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { fakeWorkspaces } from "../../src/runtime/fixtures/fake-workspaces.ts";
import type { Workspaces } from "../../src/runtime/ports/executors.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, problems, request, turnEnded, until } from "./house.ts";

test("[REC-6] a start that is repeated holds one slot: lost starts of a few sessions keep nobody out", async () => {
  const place = new FakePlace();
  place.holdStarts = true;
  const runtime = await house(fakeExecutors(place));
  const create = () =>
    runtime.operations.createSession(request({ prompt: "hello" }));
  const started = (count: number) =>
    within("starting", patience(5000), place.waitForStarts(count));
  const sessions = await Promise.all(Array.from({ length: 4 }, create));

  // Each start is lost twice. With a slot for each of them, 12 would be needed, and there are 8.
  for (const round of [1, 2, 3]) {
    await started(4 * round);
    if (round === 3) break;
    for (const agent of place.agentsById.values())
      if (agent.alive) agent.die({ kind: "vanished" });
  }
  // Four are coming up: there is room for four more, and only four.
  sessions.push(...(await Promise.all(Array.from({ length: 8 }, create))));
  await started(16);
  assert.equal(place.orders.length, 16);

  place.holdStarts = false;
  place.releaseStarts();
  for (const { id } of sessions) await until(runtime, id, turnEnded(1));
  await runtime.close();
});

test("[REC-7] [P10] a session that is paused before its agent was launched comes to rest, and back", async () => {
  const place = new FakePlace();
  const start = place.start.bind(place);
  const launching = Promise.withResolvers<void>();
  // agentctl goes away before it gets the order.
  place.start = () => {
    launching.resolve();
    place.start = start;
    return Promise.reject(new RepriseError("agentctl_unavailable", "away"));
  };
  const runtime = await house(fakeExecutors(place), {
    resumeDeadlineMs: patience(5000),
  });
  const { operations } = runtime;
  const { id } = await operations.createSession(request({ prompt: "hello" }));
  await launching.promise;
  assert.equal((await operations.pauseSession(id)).state, "PAUSED");
  assert.deepEqual(place.orders, []);
  await operations.resumeSession(id);
  await until(runtime, id, turnEnded(1));
  await runtime.close();
});

/** An agentctl that dies whenever someone looks at a session. */
class DyingPlace extends FakePlace {
  override readonly workspaces: Workspaces = {
    ...fakeWorkspaces(this),
    look: async (): Promise<never> => {
      this.lose();
      await this.closed;
      throw new RepriseError("agentctl_unavailable", "The link is lost.");
    },
  };
}

test("[REC-7] [P9] agentctl dies while a session starts: its successor is asked, and nobody has to ask again", async () => {
  const runtime = await house(
    fakeExecutors(new DyingPlace(), new DyingPlace(), new FakePlace()),
  );
  const session = await runtime.operations.createSession(
    request({ prompt: "hello" }),
  );
  const seen = await until(runtime, session.id, turnEnded(1));
  assert.ok(
    seen.every(
      (event) =>
        event.type !== "session.state_changed" || event.data.to !== "ERROR",
    ),
  );
  await runtime.close();
});

test("[REC-7] [P9] agentctl dies again and again: after the time a start may take, that is the session's error", async () => {
  const places = Array.from({ length: 20 }, () => new DyingPlace());
  const runtime = await house(fakeExecutors(...places), { startDeadlineMs: 1 });
  const session = await runtime.operations.createSession(
    request({ prompt: "hello" }),
  );
  const seen = await until(
    runtime,
    session.id,
    (event) =>
      event.type === "session.state_changed" && event.data.to === "ERROR",
  );
  const told = seen.find(({ type }) => type === "session.agentctl_error");
  assert.ok(told?.type === "session.agentctl_error");
  assert.equal(told.data.message, "The link is lost.");
  await runtime.close();
});

test("[REC-7] [P10] agentctl is away when the server starts: who waited for an agent gets one as soon as it is back", async () => {
  const store = memoryStore();
  const first = await house(fakeExecutors(new DyingPlace()), { store });
  const { id } = await first.operations.createSession(
    request({ prompt: "hello" }),
  );
  await until(first, id, ({ type }) => type === "session.agentctl_starting");
  await first.close();

  const second = await house(fakeExecutors(null, new FakePlace()), { store });
  await second.recovery.startup("lazy");
  await until(second, id, turnEnded(1));
  await second.close();
});

test("[REC-7] [P9] agentctl dies while a session starts and cannot be had at once: it is tried on for as long as a start may take", async () => {
  const runtime = await house(
    fakeExecutors(
      new DyingPlace(),
      null,
      null,
      new DyingPlace(),
      null,
      new FakePlace(),
    ),
  );
  const session = await runtime.operations.createSession(
    request({ prompt: "hello" }),
  );
  const seen = await until(runtime, session.id, turnEnded(1));
  assert.ok(seen.every(({ type }) => type !== "session.agentctl_error"));
  await runtime.close();
});

test("[REC-7] [P9] agentctl goes away before an agent is launched and cannot be had at once: the agent comes up all the same", async () => {
  const first = new FakePlace();
  first.start = async () => {
    first.lose();
    await first.closed;
    throw new RepriseError("agentctl_unavailable", "The link is lost.");
  };
  const runtime = await house(
    fakeExecutors(first, null, null, new FakePlace()),
  );
  const session = await runtime.operations.createSession(
    request({ prompt: "hello" }),
  );
  const seen = await until(runtime, session.id, turnEnded(1));
  assert.ok(
    seen.every(
      (event) =>
        event.type !== "session.state_changed" || event.data.to !== "ERROR",
    ),
  );
  await runtime.close();
});

test("[REC-101] an execution whose order is on its way is not taken for lost, whatever is asked meanwhile", async () => {
  const store = memoryStore();
  const place = new FakePlace();
  const held = Promise.withResolvers<void>();
  const ordering = Promise.withResolvers<void>();
  const env = store.env.bind(store);
  let isBegun = false;
  // The order to launch is put together with what the store has.
  store.env = async (id) => {
    if (isBegun) {
      ordering.resolve();
      await held.promise;
    }
    return env(id);
  };
  const runtime = await house(fakeExecutors(place), {
    store,
    resumeDeadlineMs: patience(5000),
  });
  const { operations, recovery } = runtime;
  runtime.commits.onAny(({ events }) => {
    isBegun ||= events.some(({ type }) => type === "session.execution.started");
  });
  const { id } = await operations.createSession(
    request({ prompt: "hello", checkpoints: false }),
  );
  await ordering.promise;
  const pausing = operations.pauseSession(id);
  await until(runtime, id, ({ type }) => type === "session.execution.stopping");
  await recovery.touch(id);
  held.resolve();
  assert.equal((await pausing).state, "PAUSED");
  const alive = [...place.agentsById.values()].filter((each) => each.alive);
  await runtime.close();
  assert.deepEqual(alive, []);
  assert.deepEqual(place.asked, ["start 1", "stop 1"]);
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
