import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Event } from "../src/contract/event.ts";
import {
  ExecutionId,
  PromptId,
  SessionId,
  TaskId,
} from "../src/contract/id.ts";
import { RepriseError } from "../src/contract/problem.ts";
import { CreateSessionRequest } from "../src/contract/request.ts";
import { ulid } from "../src/kit/ulid.ts";
import { memoryStore } from "../src/store/memory.ts";
import { FakePlace, fakeExecutors } from "../src/runtime/fake-place.ts";
import type { Executors, Store } from "../src/runtime/ports.ts";
import { startRuntime } from "../src/runtime/runtime.ts";

const workspaces = await mkdtemp(join(tmpdir(), "reprise-runtime-"));
after(() => rm(workspaces, { recursive: true, force: true }));

const id = (prefix: string): string => `${prefix}_${ulid(Date.now())}`;
const problems: unknown[] = [];
const quiet = {
  info: () => undefined,
  warn: () => undefined,
  error: (facts: object) => void problems.push(facts),
};

const house = async (
  executors: Executors,
  given: { store?: Store; now?: () => Date; idleMinutes?: number } = {},
) => {
  const store = given.store ?? memoryStore();
  return startRuntime({
    store,
    executors,
    term: await store.claim(),
    clock: { now: given.now ?? (() => new Date()) },
    ids: {
      session: () => SessionId.parse(id("ses")),
      task: () => TaskId.parse(id("tsk")),
      prompt: () => PromptId.parse(id("prm")),
      execution: () => ExecutionId.parse(id("exe")),
    },
    log: quiet,
    overrides: {},
    agentEnv: { HOME: "/home/x" },
    workspaces,
    idleMinutes: given.idleMinutes ?? null,
  });
};

type House = Awaited<ReturnType<typeof house>>;
const request = (given: object = {}) => CreateSessionRequest.parse(given);

/** Follows a session until an event fits; gives everything seen. */
const until = async (
  { operations }: House,
  session: SessionId,
  fits: (event: Event) => boolean,
  from = 0,
): Promise<Event[]> => {
  const seen: Event[] = [];
  for await (const batch of operations.follow(
    session,
    from,
    AbortSignal.timeout(5000),
  )) {
    seen.push(...batch);
    if (batch.some(fits)) return seen;
  }
  throw new Error(
    `it did not happen; seen: ${seen.map(({ type }) => type).join(" ")}`,
  );
};
const turnEnded = (n: number) => (event: Event) =>
  event.type === "session.turn.ended" && event.data.turn === n;

test("a session runs its prompt and its conversation can be read", async () => {
  const runtime = await house(fakeExecutors(new FakePlace()));
  const session = await runtime.operations.createSession(
    request({ prompt: "hello" }),
  );
  assert.equal(session.state, "STARTING");
  await until(runtime, session.id, turnEnded(1));
  const messages = await runtime.operations.listMessages(session.id);
  assert.deepEqual(
    messages.map(({ role, text }) => [role, text]),
    [
      ["user", "hello"],
      ["agent", "You said: hello"],
    ],
  );
  await runtime.close();
});

test("[P1] fifty requests with one key make one prompt; other text with that key is refused", async () => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place));
  const session = await runtime.operations.createSession(request());
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      runtime.operations.queuePrompt(session.id, { text: "once" }, "key-1"),
    ),
  );
  assert.equal(new Set(answers.map((prompt) => prompt.id)).size, 1);
  await assert.rejects(
    runtime.operations.queuePrompt(session.id, { text: "other" }, "key-1"),
    (error) =>
      error instanceof RepriseError && error.code === "idempotency_conflict",
  );
  await until(runtime, session.id, turnEnded(1));
  assert.equal(place.prompts.length, 1);
  await runtime.close();
});

test("[P1] fifty creations with one key make one session", async () => {
  const runtime = await house(fakeExecutors(new FakePlace()));
  const made = await Promise.all(
    Array.from({ length: 50 }, () =>
      runtime.operations.createSession(request({ name: "one" }), "key"),
    ),
  );
  assert.equal(new Set(made.map((session) => session.id)).size, 1);
  assert.equal(
    (await runtime.operations.listSessions({ limit: 100 })).sessions.length,
    1,
  );
  await runtime.close();
});

test("[P2] reports are acknowledged after they are durable, and a gap is read again", async () => {
  const place = new FakePlace();
  const store = memoryStore();
  const runtime = await house(fakeExecutors(place), { store });
  place.onPrompt = (order, agent) => {
    agent.say("one");
    agent.deaf = true;
    agent.say("two");
    agent.deaf = false;
    agent.say("three");
    agent.endTurn(order.prompt_id);
  };
  const session = await runtime.operations.createSession(
    request({ prompt: "go" }),
  );
  await until(runtime, session.id, turnEnded(1));
  const messages = await runtime.operations.listMessages(session.id);
  assert.equal(messages.at(-1)?.text, "onetwothree");
  assert.ok(place.asked.some((order) => order.startsWith("attach 1")));
  await runtime.close();
});

test("[P2] followers that come and go see every event once, in order", async () => {
  const place = new FakePlace();
  place.onPrompt = (order, agent) => {
    for (let n = 1; n <= 200; n++) agent.say(`${n} `);
    agent.endTurn(order.prompt_id);
  };
  const runtime = await house(fakeExecutors(place));
  const session = await runtime.operations.createSession(
    request({ prompt: "count" }),
  );
  const follower = async (patience: number): Promise<number[]> => {
    const seen: Event[] = [];
    while (!seen.some(turnEnded(1))) {
      const leave = new AbortController();
      let left = patience;
      for await (const batch of runtime.operations.follow(
        session.id,
        seen.at(-1)?.seq ?? 0,
        leave.signal,
      )) {
        seen.push(...batch);
        left -= batch.length;
        if (left <= 0 || seen.some(turnEnded(1))) leave.abort();
      }
    }
    return seen.map(({ seq }) => seq);
  };
  for (const seqs of await Promise.all([1, 3, 7, 1000].map(follower)))
    assert.deepEqual(
      seqs,
      Array.from(seqs, (_, i) => i + 1),
    );
  await runtime.close();
});

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

test("bad wishes are refused before anything is made", async () => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place));
  const refused = (given: object, code: string) =>
    assert.rejects(
      runtime.operations.createSession(request(given)),
      (error) => error instanceof RepriseError && error.code === code,
      code,
    );
  await refused({ agent: "nobody" }, "unknown_agent");
  await refused({ cwd: "relative/path" }, "invalid_request");
  await refused({ task_id: id("tsk") }, "task_not_found");
  place.workspaceKind = "missing";
  await refused({ cwd: "/nowhere" }, "cwd_not_found");
  place.workspaceKind = "other";
  await refused({ cwd: "/etc/passwd" }, "cwd_not_a_directory");
  assert.deepEqual(
    (await runtime.operations.listSessions({ limit: 10 })).sessions,
    [],
  );
  await assert.rejects(
    runtime.operations.showSession(SessionId.parse(id("ses"))),
    (error) =>
      error instanceof RepriseError && error.code === "session_not_found",
  );
  await runtime.close();
});

test("a task's state follows its sessions", async () => {
  const runtime = await house(fakeExecutors(new FakePlace()));
  const task = await runtime.operations.createTask({
    title: "T",
    description: "",
  });
  assert.equal(task.state, "CREATED");
  const session = await runtime.operations.createSession(
    request({ task_id: task.id, prompt: "hello" }),
  );
  await until(runtime, session.id, turnEnded(1));
  const shown = await runtime.operations.showTask(task.id);
  assert.equal(shown.state, "REVIEW");
  assert.deepEqual(shown.session_ids, [session.id]);
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
