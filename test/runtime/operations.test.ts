import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import { SessionId } from "../../src/contract/base/id.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import {
  house,
  id,
  messagesOf,
  problems,
  promptsIn,
  request,
  taskRequest,
  turnEnded,
  until,
} from "./house.ts";

test("a session runs its prompt and its conversation can be read", async () => {
  const runtime = await house(fakeExecutors(new FakePlace()));
  const session = await runtime.operations.createSession(
    request({ prompt: "hello" }),
  );
  assert.equal(session.state, "STARTING");
  await until(runtime, session.id, turnEnded(1));
  const messages = await messagesOf(runtime.operations, session.id);
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
  const messages = await messagesOf(runtime.operations, session.id);
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
  const nobody = SessionId.parse(id("ses"));
  for (const asked of [
    () => runtime.operations.showSession(nobody),
    () => runtime.operations.queuePrompt(nobody, { text: "hello" }),
  ])
    await assert.rejects(
      asked,
      (error) =>
        error instanceof RepriseError && error.code === "session_not_found",
    );
  await runtime.close();
});

test("a task's state follows its sessions", async () => {
  const runtime = await house(fakeExecutors(new FakePlace()));
  const task = await runtime.operations.createTask(taskRequest());
  assert.equal(task.state, "TODO");
  const session = await runtime.operations.createSession(
    request({ task_id: task.id, prompt: "hello" }),
  );
  await until(runtime, session.id, turnEnded(1));
  const shown = await runtime.operations.showTask(task.id);
  assert.equal(shown.state, "REVIEW");
  assert.deepEqual(shown.session_ids, [session.id]);
  await runtime.close();
});

test("[API-11] nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});

test("[LNK-60] [API-137] agents are looked for with the environment that they would be started with", async () => {
  const place = new FakePlace();
  const { operations, close } = await house(fakeExecutors(place));
  await operations.listAgents({});
  assert.deepEqual(place.soughtWith, { HOME: "/home/x" });
  await operations.listAgents({ path: "/mine" });
  assert.deepEqual(place.soughtWith, { HOME: "/home/x", PATH: "/mine" });
  await operations.createSession(request({ env: { PATH: "/own/bin" } }));
  assert.deepEqual(place.soughtWith, { HOME: "/home/x", PATH: "/own/bin" });
  await close();
});

test("[SES-61] an agent is looked for and started with the environment of who asks, and where it keeps its things stays", async () => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const caller_env = { PATH: "/mine", KEY: "1", HOME: "/me" };
  const given = { env: { OWN: "x" }, caller_env, prompt: "hi" };
  const { id, definition } = await operations.createSession(request(given));
  assert.deepEqual(place.soughtWith, { ...caller_env, OWN: "x" });
  assert.deepEqual(definition.env_names, ["OWN"]);
  await until(runtime, id, turnEnded(1));
  assert.deepEqual(place.orders[0]?.env, { ...caller_env, OWN: "x" });
  await operations.pauseSession(id);
  const later = { PATH: "/other", HOME: "/else" };
  await operations.resumeSession(id, { caller_env: later });
  assert.deepEqual(place.orders[1]?.env, {
    PATH: "/other",
    HOME: "/me",
    OWN: "x",
  });
  await runtime.close();
});

test("[SES-61] a prompt is not given to an agent that has other credentials than who asks, and nothing is asked of agentctl for it", async () => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const { id } = await operations.createSession(request({ prompt: "hi" }));
  await until(runtime, id, turnEnded(1));
  const ask = async (n: number, caller_env?: Record<string, string>) => {
    await operations.queuePrompt(id, {
      text: `prompt ${n}`,
      ...(caller_env && { caller_env }),
    });
    await until(runtime, id, turnEnded(n));
    return place.orders.map(({ env }) => env["KEY"]);
  };
  assert.deepEqual(await ask(2), [undefined]);
  assert.deepEqual(await ask(3, { KEY: "1" }), [undefined, "1"]);
  assert.deepEqual(await ask(4, { KEY: "1" }), [undefined, "1"]);
  assert.deepEqual(await ask(5, { KEY: "2" }), [undefined, "1", "2"]);
  assert.deepEqual(await ask(6, { KEY: "2" }), [undefined, "1", "2"]);
  // Who sends none, or has none, takes what there is.
  assert.deepEqual(await ask(7), [undefined, "1", "2"]);
  assert.deepEqual(await ask(8, { PATH: "/p" }), [undefined, "1", "2"]);
  await runtime.close();
});

test("[SES-61] prompts wait in the order in which they came, whoever sent them", async () => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const { id } = await operations.createSession(request({ prompt: "1" }));
  await until(runtime, id, turnEnded(1));
  const queued = ["2", "3", "4"].map((text) =>
    operations.queuePrompt(id, {
      text,
      ...(text === "2" && { caller_env: { KEY: "1" } }),
    }),
  );
  await Promise.all(queued);
  await until(runtime, id, turnEnded(4));
  assert.deepEqual(await promptsIn(operations, id), ["1", "2", "3", "4"]);
  await runtime.close();
});

test("[SES-61] the same key with another environment is the same request", async () => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const made = (caller_env: Record<string, string>) =>
    operations.createSession(request({ caller_env }), "k");
  const { id } = await made({ KEY: "1" });
  assert.equal((await made({ KEY: "2" })).id, id);
  const asked = (caller_env: Record<string, string>) =>
    operations.queuePrompt(id, { text: "hi", caller_env }, "p");
  const first = await asked({ KEY: "1" });
  assert.equal((await asked({ KEY: "2" })).id, first.id);
  await runtime.close();
});
