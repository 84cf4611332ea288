/** A turn that its agent's death cut short goes on by itself, unless somebody decides otherwise meanwhile. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { house, promptsIn, request, turnEnded, until } from "./house.ts";

/** The agent died in its first turn; time stands still. */
const cut = async (t: TestContext) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const place = new FakePlace();
  const { onPrompt } = place;
  place.onPrompt = (_, agent) => {
    place.onPrompt = onPrompt;
    agent.die({ kind: "killed", signal: "SIGKILL" });
  };
  const runtime = await house(fakeExecutors(place));
  const { id } = await runtime.operations.createSession(
    request({ prompt: "work", on_interrupt: "continue", checkpoints: false }),
  );
  await until(runtime, id, ({ type }) => type === "session.execution.ended");
  t.after(async () => {
    t.mock.timers.reset();
    await runtime.close();
  });
  /** The pause before the continuation is over. */
  const pass = () => t.mock.timers.tick(500);
  return { runtime, operations: runtime.operations, id, pass };
};

test("[REC-104] the turn goes on before a prompt that was sent meanwhile", async (t) => {
  const { runtime, operations, id, pass } = await cut(t);
  await operations.queuePrompt(id, { text: "and then this" });
  pass();
  await until(runtime, id, turnEnded(3));
  const [first, second, third] = await promptsIn(operations, id);
  assert.deepEqual([first, third], ["work", "and then this"]);
  assert.match(second ?? "", /^Your previous turn was interrupted/);
});

test("[REC-105] a session that was paused meanwhile stays paused, and goes on when it is resumed", async (t) => {
  const { runtime, operations, id, pass } = await cut(t);
  assert.equal((await operations.pauseSession(id)).state, "PAUSED");
  pass();
  // It is done after what the timer began.
  const { state } = await operations.changeSession(id, { name: "paused" });
  assert.equal(state, "PAUSED");
  const { last_seq } = await operations.showSession(id);
  await operations.resumeSession(id, {});
  await until(
    runtime,
    id,
    ({ type }) => type === "session.agent.ready",
    last_seq,
  );
  await operations.showSession(id);
  pass();
  await until(runtime, id, turnEnded(2));
});

test("[REC-105] a session that was set to wait meanwhile waits for a decision", async (t) => {
  const { operations, id, pass } = await cut(t);
  await operations.changeSession(id, { on_interrupt: "wait" });
  pass();
  const { unresolved_prompts } = await operations.changeSession(id, {
    name: "waits",
  });
  assert.equal(unresolved_prompts.length, 1);
});
