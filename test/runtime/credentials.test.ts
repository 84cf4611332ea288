/** Two people with two keys, one session. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../src/contract/event.ts";
import type { LinkParams } from "../../src/contract/link.ts";
import {
  type FakeAgent,
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, problems, request, turnEnded, until } from "./house.ts";

/** Compares as agentctl does, and keeps the turn of every prompt open until it is told to go on. */
class KeyedPlace extends FakePlace {
  readonly compared: LinkParams<"credentials">["env"][] = [];
  readonly #open: (() => void)[] = [];
  /** Prompts with the key of the agent that got each. */
  readonly got: string[] = [];

  override async credentials({
    execution_id,
    env,
  }: LinkParams<"credentials">): Promise<{ same: boolean }> {
    this.compared.push(env);
    return { same: this.#keyOf(execution_id) === env["KEY"] };
  }

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
  // [LNK-67] Only what is a login is told for the comparison.
  assert.deepEqual(place.compared, [{ KEY: "2" }]);
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
      obtain: (executor) =>
        isAway ? new Promise(() => {}) : executors.obtain(executor),
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
