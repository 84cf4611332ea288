/** Several people with a key each, one session. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import type { LinkParams } from "../../src/contract/link/link.ts";
import {
  type FakeAgent,
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, problems, request, turnEnded, until } from "./house.ts";

/** Keeps the turn of every prompt open until it is told to go on. */
class KeyedPlace extends FakePlace {
  readonly #open: (() => void)[] = [];
  /** Prompts with the key of the agent that got each. */
  readonly got: string[] = [];

  override onPrompt = (order: LinkParams<"prompt">, agent: FakeAgent): void => {
    const [block] = order.content;
    const text = block?.type === "text" ? block.text : "";
    this.got.push(`${text} with ${this.#keyOf(order.execution_id)}`);
    this.#open.push(() => agent.endTurn(order.prompt_id));
  };

  goOn(): void {
    this.#open.shift()?.();
  }

  #keyOf(execution: string): string | undefined {
    const order = this.orders.find((each) => each.execution_id === execution);
    return order?.env["KEY"];
  }
}

const delivered = (n: number) => (event: Event) =>
  event.type === "session.prompt.delivered" && event.data.turn === n;

test("[SES-61] each of two people who take turns gets the agent with the key of the one who sent the prompt", async () => {
  const place = new KeyedPlace();
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const mine = { KEY: "1", PATH: "/mine", SECRET: "s" };
  const yours = { KEY: "2", PATH: "/yours" };
  const { id } = await operations.createSession(
    request({ prompt: "a", caller_env: mine }),
  );
  await until(runtime, id, delivered(1));
  const ask = (text: string, caller_env?: Record<string, string>) =>
    operations.queuePrompt(id, { text, ...(caller_env && { caller_env }) });
  await ask("b", yours);
  await ask("c", mine);
  await ask("d", { ...mine, PATH: "/elsewhere" });
  await ask("e");
  for (const turn of [1, 2, 3, 4, 5]) {
    await until(runtime, id, delivered(turn));
    place.goOn();
    await until(runtime, id, turnEnded(turn));
  }
  assert.deepEqual(place.got, [
    "a with 1",
    "b with 2",
    "c with 1",
    "d with 1",
    "e with 1",
  ]);
  assert.equal(place.orders[1]?.env["PATH"], "/yours");
  await runtime.close();
});

test("[SES-61] an agent that is asked for before another prompt comes is started for the first of them", async () => {
  const place = new KeyedPlace();
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const { id } = await operations.createSession(request({}));
  await operations.pauseSession(id);
  await Promise.all(
    ["1", "2"].map((KEY) =>
      operations.queuePrompt(id, { text: KEY, caller_env: { KEY } }),
    ),
  );
  await until(runtime, id, delivered(1));
  place.goOn();
  await until(runtime, id, delivered(2));
  place.goOn();
  await until(runtime, id, turnEnded(2));
  assert.deepEqual(place.got, ["1 with 1", "2 with 2"]);
  await runtime.close();
});

test("[SES-61] twenty people with a key each: every prompt is answered with its sender's", async () => {
  const place = new KeyedPlace();
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const { id } = await operations.createSession(request({ prompt: "0" }));
  await until(runtime, id, delivered(1));
  const keys = Array.from({ length: 20 }, (_, n) => `${n + 1}`);
  for (const KEY of keys)
    await operations.queuePrompt(id, { text: KEY, caller_env: { KEY } });
  for (let turn = 1; turn <= 21; turn++) {
    await until(runtime, id, delivered(turn));
    place.goOn();
    await until(runtime, id, turnEnded(turn));
  }
  const expected = keys.map((KEY) => `${KEY} with ${KEY}`);
  assert.deepEqual(place.got.slice(1), expected);
  await runtime.close();
});

test("[SES-61] who asks for the agent while a prompt is being written makes nobody forget its sender's key", async () => {
  const store = memoryStore();
  const reached = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  let isGated = false;
  const gated = {
    ...store,
    append: async (change: Parameters<typeof store.append>[0]) => {
      if (isGated) reached.resolve();
      if (isGated) await go.promise;
      return store.append(change);
    },
  };
  const place = new KeyedPlace();
  const runtime = await house(fakeExecutors(place), { store: gated });
  const { operations } = runtime;
  const { id } = await operations.createSession(request({ prompt: "0" }));
  await until(runtime, id, delivered(1));
  isGated = true;
  const caller_env = { KEY: "A" };
  const asked = operations.queuePrompt(id, { text: "a", caller_env });
  await reached.promise;
  const resumed = ["B", "C"].map((KEY) =>
    operations.resumeSession(id, { caller_env: { KEY } }),
  );
  // All that can go on without the journal goes on.
  await new Promise(setImmediate);
  isGated = false;
  go.resolve();
  await Promise.all([asked, ...resumed]);
  place.goOn();
  await until(runtime, id, delivered(2));
  assert.deepEqual(place.got.slice(1), ["a with A"]);
  await runtime.close();
});

/** A turn is under way, A's prompt waits, and the server is followed by another one. */
const restarted = async (agentEnv: Record<string, string> = {}) => {
  const store = memoryStore();
  const place = new KeyedPlace();
  const executors = fakeExecutors(place);
  const first = await house(executors, { store, agentEnv });
  const { operations } = first;
  const { id } = await operations.createSession(request({ prompt: "0" }));
  await until(first, id, delivered(1));
  await operations.queuePrompt(id, { text: "a", caller_env: { KEY: "A" } });
  await first.close();
  const runtime = await house(executors, { store, agentEnv });
  await runtime.recovery.startup("startup");
  const ask = (text: string, KEY: string) =>
    runtime.operations.queuePrompt(id, { text, caller_env: { KEY } });
  return { store, place, executors, runtime, id, ask };
};

const noticesOf = (events: readonly Event[]) =>
  events.flatMap(({ type, data }) =>
    type === "session.notice" ? [data.code] : [],
  );

test("[SES-61] after a restart a prompt that waits is never answered with the key of who asks next, and says so", async () => {
  for (const own of [undefined, "own"]) {
    const agentEnv = own === undefined ? undefined : { KEY: own };
    const { place, runtime, id, ask } = await restarted(agentEnv);
    await ask("b", "B");
    await runtime.operations.resumeSession(id, { caller_env: { KEY: "C" } });
    for (let turn = 1; turn <= 3; turn++) {
      place.goOn();
      await until(runtime, id, turnEnded(turn));
      if (turn < 3) await until(runtime, id, delivered(turn + 1));
    }
    assert.deepEqual(place.got, [`0 with ${own}`, `a with ${own}`, "b with B"]);
    const seen = await until(runtime, id, turnEnded(3));
    assert.deepEqual(noticesOf(seen), [
      "credentials_changed",
      "credentials_missing",
      "credentials_changed",
    ]);
    await runtime.close();
  }
});

test("[SES-61] after a restart a prompt that waits is answered with its sender's key once the sender has asked again", async () => {
  const { place, runtime, id, ask } = await restarted();
  await ask("b", "B");
  await ask("a again", "A");
  for (let turn = 1; turn <= 4; turn++) {
    place.goOn();
    await until(runtime, id, turnEnded(turn));
    if (turn < 4) await until(runtime, id, delivered(turn + 1));
  }
  assert.deepEqual(place.got.slice(1), [
    "a with A",
    "b with B",
    "a again with A",
  ]);
  await runtime.close();
});

test("[SES-61] an agent that was started without the sender's key is started again when the sender asks again", async () => {
  const { place, runtime, id, ask } = await restarted();
  place.goOn();
  await until(runtime, id, delivered(2));
  await ask("a again", "A");
  place.goOn();
  await until(runtime, id, delivered(3));
  assert.deepEqual(place.got.slice(1), ["a with undefined", "a again with A"]);
  await runtime.close();
});

test("[SES-61] the same key after a restart goes on with the agent that lives, without a notice", async () => {
  const { store, executors, place, runtime, id, ask } = await restarted();
  await ask("a again", "A");
  place.goOn();
  await until(runtime, id, delivered(2));
  await runtime.close();
  const third = await house(executors, { store });
  await third.recovery.startup("startup");
  const caller_env = { KEY: "A", PATH: "/elsewhere" };
  const before = await third.operations.showSession(id);
  await third.operations.queuePrompt(id, { text: "a later", caller_env });
  for (const turn of [2, 3, 4]) {
    place.goOn();
    await until(third, id, turnEnded(turn));
    if (turn < 4) await until(third, id, delivered(turn + 1));
  }
  const seen = await until(third, id, turnEnded(4), before.last_seq);
  assert.deepEqual(noticesOf(seen), []);
  assert.equal(place.orders.length, 2, "one for nobody, one for A");
  assert.equal(place.got.at(-1), "a later with A");
  await third.close();
});

test("[SES-61] an execution that a killed server had begun for somebody's key is not launched with another", async () => {
  const store = memoryStore();
  const place = new KeyedPlace();
  const executors = fakeExecutors(place);
  const start = place.start.bind(place);
  // The order never arrives: this server is as good as killed.
  const ordered = Promise.withResolvers<void>();
  place.start = () => {
    ordered.resolve();
    return new Promise(() => {});
  };
  const first = await house(executors, { store });
  const { id } = await first.operations.createSession(
    request({ prompt: "a", caller_env: { KEY: "A" } }),
  );
  await ordered.promise;
  place.start = start;
  const second = await house(executors, { store });
  const caller_env = { KEY: "B" };
  await second.operations.queuePrompt(id, { text: "b", caller_env });
  await until(second, id, delivered(1));
  place.goOn();
  await until(second, id, delivered(2));
  assert.deepEqual(place.got, ["a with undefined", "b with B"]);
  await second.close();
});

test("[SES-61] the journal and the API have neither a key nor a plain hash of one", async () => {
  const { runtime, id, ask } = await restarted();
  const secret = "hush-4711";
  await ask("b", secret);
  const session = await runtime.operations.showSession(id);
  const seen = await until(runtime, id, ({ seq }) => seq >= session.last_seq);
  const told = JSON.stringify([seen, session]);
  assert.match(told, /"credentials":"[A-Za-z0-9_-]{43}"/);
  for (const text of [secret, `{"KEY":"${secret}"}`, `[["KEY","${secret}"]]`])
    for (const encoding of ["hex", "base64", "base64url"] as const)
      assert.ok(
        !told.includes(createHash("sha256").update(text).digest(encoding)),
      );
  assert.ok(!told.includes(secret));
  await runtime.close();
});

test("[SES-61] a session that has ended, or is in the trash, keeps nobody's environment", async () => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const caller_env = { KEY: "1" };
  const make = async () =>
    (await operations.createSession(request({ prompt: "a", caller_env }))).id;
  const [ended, trashed] = [await make(), await make()];
  for (const id of [ended, trashed]) await until(runtime, id, turnEnded(1));
  await operations.deleteSession(trashed);
  await assert.rejects(
    operations.queuePrompt(trashed, { text: "b", caller_env }),
  );
  await operations.undeleteSession(trashed);
  await operations.queuePrompt(trashed, { text: "b" });
  await until(runtime, trashed, turnEnded(2));
  assert.equal(place.orders[2]?.env["KEY"], undefined);

  await operations.endSession(ended, { outcome: "completed" });
  const fork = await operations.forkSession(ended, {});
  await operations.queuePrompt(fork.id, { text: "c" });
  await until(runtime, fork.id, turnEnded(2));
  assert.equal(place.orders[3]?.env["KEY"], undefined);
  await runtime.close();
});

test("[SES-61] a resume that a killed server had begun is finished with the environment of who asks again", async () => {
  const store = memoryStore();
  const place = new FakePlace();
  const executors = fakeExecutors(place);
  let isAway = false;
  const first = await house(
    {
      ...executors,
      obtain: (executor, term) =>
        isAway ? new Promise(() => {}) : executors.obtain(executor, term),
    },
    { store },
  );
  const { id } = await first.operations.createSession(request({ prompt: "a" }));
  await until(first, id, turnEnded(1));
  await first.operations.pauseSession(id);
  isAway = true;
  const caller_env = { KEY: "1" };
  // Nobody ever answers: this server is as good as killed.
  void first.operations.resumeSession(id, { caller_env }, "k");
  const isResume = ({ type, data }: Event) =>
    type === "session.resume.requested" && data.trigger === "request";
  await until(first, id, isResume);

  const second = await house(executors, { store });
  await second.operations.resumeSession(id, { caller_env }, "k");
  assert.deepEqual(
    place.orders.map(({ env }) => env["KEY"]),
    [undefined, "1"],
  );
  await second.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
