import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import {
  house,
  messagesOf,
  problems,
  request,
  turnEnded,
  until,
} from "./house.ts";

test("[SES-23] concurrent resumes make one execution", async () => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place));
  const session = await runtime.operations.createSession(
    request({ prompt: "hello" }),
  );
  await until(runtime, session.id, turnEnded(1));
  const paused = await runtime.operations.pauseSession(session.id);
  assert.equal(paused.state, "PAUSED");
  const resumed = await Promise.all(
    Array.from({ length: 20 }, () =>
      runtime.operations.resumeSession(session.id),
    ),
  );
  assert.ok(resumed.every(({ resume }) => resume?.grade === "native"));
  assert.deepEqual(
    place.orders.map(({ epoch }) => epoch),
    [1, 2],
  );
  assert.deepEqual(place.orders[1]?.predecessors, [
    place.orders[0]?.execution_id,
  ]);
  await runtime.close();
});

test("[REC-4] [P10] a resume right after a restart waits for what the dead agent said last", async () => {
  const store = memoryStore();
  const place = new FakePlace();
  place.onPrompt = (_, agent) => agent.say("I begin");
  const first = await house(fakeExecutors(place), { store });
  const { id } = await first.operations.createSession(
    request({ prompt: "work" }),
  );
  await until(first, id, ({ type }) => type === "session.prompt.delivered");
  const agent = [...place.agentsById.values()][0];
  assert.ok(agent !== undefined);
  agent.deaf = true;
  agent.die({ kind: "killed", signal: "SIGKILL" });
  await first.close();

  agent.deaf = false;
  // What it said is read from its file first, which takes a moment.
  place.attach = async ({ from }) =>
    void setTimeout(() => agent.repeat(from), 50);
  const second = await house(fakeExecutors(place), { store });
  const recovering = second.recovery.startup("lazy");
  const [resumed] = await Promise.all([
    second.operations.resumeSession(id),
    recovering,
  ]);
  assert.equal(resumed.state, "WAITING_FOR_INPUT");
  assert.equal(resumed.resume?.path, "fast");
  assert.equal(place.orders.length, 2);
  await second.close();
});

test("[P9] agentctl is away: the resume fails with its reason and works when it is back", async () => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place, null, new FakePlace()));
  const session = await runtime.operations.createSession(
    request({ prompt: "hello" }),
  );
  await until(runtime, session.id, turnEnded(1));
  await runtime.operations.pauseSession(session.id);
  place.lose();
  await place.closed;
  await assert.rejects(
    runtime.operations.resumeSession(session.id),
    (error) =>
      error instanceof RepriseError &&
      error.code === "resume_failed" &&
      /agentctl/.test(error.message),
  );
  assert.equal(
    (await runtime.operations.showSession(session.id)).state,
    "ERROR",
  );
  assert.equal(
    (await runtime.operations.resumeSession(session.id)).state,
    "WAITING_FOR_INPUT",
  );
  await runtime.close();
});

test("the connection to agentctl breaks while a session waits: it is attached again where it was", async () => {
  const first = new FakePlace();
  const second = new FakePlace();
  const runtime = await house(fakeExecutors(first, second));
  const session = await runtime.operations.createSession(
    request({ prompt: "hello" }),
  );
  const seen = await until(runtime, session.id, turnEnded(1));
  for (const [execution, agent] of first.agentsById)
    second.agentsById.set(execution, agent);
  first.lose();
  await until(
    runtime,
    session.id,
    (event) =>
      event.type === "session.resumed" &&
      event.data.resume.grade === "reattached",
    seen.at(-1)?.seq,
  );
  assert.match(second.asked[0] ?? "", /^attach 1 \d+$/);
  await runtime.close();
});

test("[REC-1] while start-up waits for an agentctl, everything is taken, and done when it is there", async () => {
  const store = memoryStore();
  const place = new FakePlace();
  const before = await house(fakeExecutors(place), { store });
  const { id } = await before.operations.createSession(
    request({ prompt: "one", checkpoints: false }),
  );
  await until(before, id, turnEnded(1));
  await before.close();
  const there = Promise.withResolvers<void>();
  const executors = fakeExecutors(place);
  const runtime = await house(
    {
      ...executors,
      obtain: async (executor, term) => {
        await there.promise;
        return executors.obtain(executor, term);
      },
    },
    { store },
  );
  const { operations, recovery } = runtime;
  const startup = recovery.startup("startup");
  const prompt = await operations.queuePrompt(id, { text: "two" });
  assert.equal(prompt.state, "queued");
  assert.equal((await operations.showSession(id)).id, id);
  assert.equal((await messagesOf(operations, id)).length > 0, true);
  there.resolve();
  await startup;
  await until(runtime, id, turnEnded(2));
  await runtime.close();
});

test("[REC-2] [P2] start-up and three who want something come at once: attached once, told once", async () => {
  const store = memoryStore();
  const place = new FakePlace();
  const before = await house(fakeExecutors(place), { store });
  const { id } = await before.operations.createSession(
    request({ prompt: "hello", checkpoints: false }),
  );
  const seen = await until(before, id, turnEnded(1));
  await before.close();
  place.asked.length = 0;
  const { operations, recovery, close } = await house(fakeExecutors(place), {
    store,
  });
  await Promise.all([
    operations.resumeSession(id),
    recovery.startup("startup"),
    operations.resumeSession(id),
    operations.resumeSession(id),
  ]);
  const after = await store.events(id, seen.at(-1)?.seq ?? 0, 1000);
  assert.deepEqual(
    after.map(({ type }) => type),
    ["session.agentctl_starting", "session.agentctl_ready", "session.resumed"],
  );
  assert.equal(place.asked.length, 1);
  await close();
});

test("[REC-15] a disk that is full for an instant does not make an agent be forgotten", async () => {
  const store = memoryStore();
  let isFull = false;
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place), {
    store: {
      ...store,
      append: async (change) => {
        if (isFull) throw new RepriseError("storage_full", "There is no room.");
        return store.append(change);
      },
    },
  });
  const { id } = await runtime.operations.createSession(
    request({ prompt: "hello" }),
  );
  await until(runtime, id, turnEnded(1));
  isFull = true;
  await assert.rejects(runtime.operations.pauseSession(id), {
    code: "storage_full",
  });
  assert.equal(runtime.agentsRunning(), 1);
  isFull = false;
  await runtime.operations.pauseSession(id);
  assert.equal(runtime.agentsRunning(), 0);
  await runtime.close();
});

test("an idle session is paused, a busy one is not", async () => {
  let now = new Date("2026-01-01T00:00:00Z");
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place), {
    now: () => now,
    idleMinutes: 0.0002,
  });
  const session = await runtime.operations.createSession(
    request({ prompt: "hello" }),
  );
  await until(runtime, session.id, turnEnded(1));
  now = new Date("2026-01-01T01:00:00Z");
  const seen = await until(
    runtime,
    session.id,
    (event) =>
      event.type === "session.state_changed" && event.data.to === "PAUSED",
  );
  const change = seen.findLast(
    (event) => event.type === "session.state_changed",
  );
  assert.equal(
    change?.type === "session.state_changed" && change.data.reason,
    "idle",
  );
  await runtime.close();
});

test("[REC-6] however many sessions want their agent, only a few start at a time", async () => {
  const place = new FakePlace();
  place.holdStarts = true;
  const runtime = await house(fakeExecutors(place));
  await Promise.all(
    Array.from({ length: 20 }, () =>
      runtime.operations.createSession(request({ prompt: "hello" })),
    ),
  );
  await place.waitForStarts(8);
  assert.equal(place.orders.length, 8);
  place.holdStarts = false;
  place.releaseStarts();
  await place.waitForStarts(20);
  await runtime.close();
});

test("[REC-14] what an ended execution left behind is ended by request", async () => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place));
  const session = await runtime.operations.createSession(
    request({ prompt: "hello" }),
  );
  await until(runtime, session.id, turnEnded(1));
  await runtime.operations.pauseSession(session.id);
  place.left.push(4711);
  const status = await runtime.operations.sessionStatus(session.id);
  assert.deepEqual(
    status.troubles.map(({ code }) => code),
    ["workspace_busy"],
  );
  await runtime.operations.recoverSession(session.id);
  assert.deepEqual(
    (await runtime.operations.sessionStatus(session.id)).troubles,
    [],
  );
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
