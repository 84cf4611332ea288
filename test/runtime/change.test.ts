/** Changing a session: what is answered, and when. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LinkParams } from "../../src/contract/link/link.ts";
import {
  type FakeAgent,
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, type House, request, until } from "./house.ts";

const ready = async (runtime: House) => {
  const { id } = await runtime.operations.createSession(request());
  await until(runtime, id, ({ type }) => type === "session.agent.ready");
  return id;
};

const confirm = (order: LinkParams<"change">, agent: FakeAgent): void =>
  agent.fact({
    kind: "change_applied",
    range: null,
    change: order.change,
    applied: {
      mode: { value: order.definition.mode ?? "", held: "agent" },
      model: null,
      settings: null,
      tools: null,
    },
    offered: order.offered,
  });

const refuse = (order: LinkParams<"change">, agent: FakeAgent): void =>
  agent.fact({
    kind: "change_refused",
    range: null,
    change: order.change,
    restriction: {
      what: "mode",
      asked: order.asked.mode ?? "",
      reason: "not_offered",
      valid: ["work"],
      message: null,
    },
  });

test("[API-163] [SES-84] the order carries what is asked and the definition as it is to be; the answer comes when the agent confirmed", async () => {
  const place = new FakePlace();
  const orders: LinkParams<"change">[] = [];
  const ordered = Promise.withResolvers<() => void>();
  place.onChange = (order, agent) => {
    orders.push(order);
    ordered.resolve(() => confirm(order, agent));
  };
  const runtime = await house(fakeExecutors(place));
  const id = await ready(runtime);
  let isAnswered = false;
  const changing = runtime.operations
    .changeSession(id, { mode: "plan", name: "n" })
    .finally(() => (isAnswered = true));
  const say = await ordered.promise;
  assert.equal(isAnswered, false);
  assert.equal((await runtime.operations.showSession(id)).name, null);
  say();
  const session = await changing;
  assert.deepEqual(
    [session.name, session.definition.mode, session.applied?.mode?.value],
    ["n", "plan", "plan"],
  );
  assert.deepEqual(orders[0]?.asked, { mode: "plan" });
  assert.equal(orders[0].definition.mode, "plan");
  await runtime.close();
});

test("[API-163] [SES-85] what the agent cannot be held to is refused with the facts, each to who asked", async () => {
  const place = new FakePlace();
  place.onChange = (order, agent) =>
    order.asked.mode === "plan" ? confirm(order, agent) : refuse(order, agent);
  const runtime = await house(fakeExecutors(place));
  const id = await ready(runtime);
  const { changeSession, showSession } = runtime.operations;
  const answers = await Promise.allSettled([
    changeSession(id, { mode: "yolo" }),
    changeSession(id, { mode: "plan" }),
    changeSession(id, { mode: "zen", name: "zen" }),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    ["rejected", "fulfilled", "rejected"],
  );
  await assert.rejects(changeSession(id, { mode: "zen" }), {
    code: "restriction_not_held",
    restriction: {
      what: "mode",
      asked: "zen",
      reason: "not_offered",
      valid: ["work"],
      message: null,
    },
  });
  const { definition, name } = await showSession(id);
  assert.deepEqual([definition.mode, name], ["plan", null]);
  await runtime.close();
});

test("[SES-87] [API-163] an agentctl that knows no such order: the change is kept, and the answer says so", async () => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place));
  const id = await ready(runtime);
  const session = await runtime.operations.changeSession(id, { model: "m" });
  assert.deepEqual(session.at_next_start, ["model"]);
  assert.equal(session.definition.model, "m");
  await runtime.operations.pauseSession(id);
  await runtime.operations.resumeSession(id);
  assert.equal(place.orders.at(-1)?.definition.model, "m");
  const after = await runtime.operations.showSession(id);
  assert.deepEqual(after.at_next_start, []);
  await runtime.close();
});

test("[SES-84] a server that is gone before the agent answered: the next one orders the same change, and it is made once", async () => {
  const place = new FakePlace();
  const store = memoryStore();
  const ordered = Promise.withResolvers<void>();
  place.onChange = () => ordered.resolve();
  const runtime = await house(fakeExecutors(place), { store });
  const id = await ready(runtime);
  const cut = runtime.operations
    .changeSession(id, { mode: "plan" }, "key")
    .catch(() => null);
  await ordered.promise;
  await runtime.close();
  await cut;
  const numbers: number[] = [];
  place.onChange = (order, agent) => {
    numbers.push(order.change);
    confirm(order, agent);
  };
  const next = await house(fakeExecutors(place), { store });
  const { operations } = next;
  const answer = await operations.changeSession(id, { mode: "plan" }, "key");
  assert.equal(answer.applied?.mode?.value, "plan");
  assert.deepEqual(new Set(numbers), new Set([1]));
  const events = await operations.listEvents(id, 0, 1000);
  const made = events.filter(
    ({ type }) => type === "session.definition.changed",
  );
  assert.equal(made.length, 1);
  await next.close();
});

test("[SES-83] [API-162] without an agent a change is answered at once", async () => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place));
  const id = await ready(runtime);
  const { operations } = runtime;
  await operations.pauseSession(id);
  const session = await operations.changeSession(id, {
    mode: "plan",
    options: { effort: "high" },
    on_interrupt: "continue",
  });
  assert.deepEqual(
    [session.definition.options, session.on_interrupt, session.at_next_start],
    [{ effort: "high" }, "continue", []],
  );
  assert.ok(!place.asked.some((order) => order.startsWith("change")));
  await runtime.close();
});
