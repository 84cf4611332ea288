import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, problems, request, turnEnded, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

test("[CPT-12] a handoff waits for what the last turn left, and its files are nothing to the other agent", async () => {
  const place = new KeepingPlace();
  const runtime = await house(fakeExecutors(place), { store: memoryStore() });
  const { operations } = runtime;
  const { id } = await operations.createSession(request());
  await until(runtime, id, ({ type }) => type === "session.checkpoint.saved");
  const held = Promise.withResolvers<void>();
  const { onPrompt } = place;
  place.onPrompt = (...prompt) => {
    place.held = held.promise;
    onPrompt(...prompt);
  };
  await operations.queuePrompt(id, { text: "one" });
  await until(runtime, id, turnEnded(1));
  const handoff = operations.handOffSession(id, { agent: "other" });
  held.resolve();
  assert.equal((await handoff).agent, "other");

  const turn = (await operations.listCheckpoints(id)).at(-1);
  assert.deepEqual([turn?.kind, turn?.agent], ["turn", "demo"]);
  const toOther = await operations.rewindSession(id, {
    turn: 1,
    dry_run: true,
  });
  assert.equal(toOther.conversation, "injected");
  await operations.handOffSession(id, { agent: "demo" });
  const back = await operations.rewindSession(id, { turn: 1, dry_run: true });
  assert.equal(back.conversation, "native", "they were its own");
  await runtime.close();
});

test("[API-124] a handoff drops no mode, model or settings unasked", async () => {
  const runtime = await house(fakeExecutors(new KeepingPlace()));
  const { operations } = runtime;
  const wanted = { mode: "plan", model: "m", allowed_tools: ["read"] };
  const { id } = await operations.createSession(request(wanted));
  await until(runtime, id, ({ type }) => type === "session.checkpoint.saved");
  await assert.rejects(operations.handOffSession(id, { agent: "other" }), {
    code: "restriction_not_held",
    restriction: {
      what: "mode",
      asked: "plan",
      reason: "of_another_agent",
      valid: [],
      message: null,
    },
  });
  const { definition } = await operations.handOffSession(id, {
    agent: "other",
    mode: "careful",
    without: ["model"],
  });
  assert.deepEqual(definition, {
    agent: "other",
    home: "user",
    mode: "careful",
    allowed_tools: ["read"],
    env_names: [],
  });
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
