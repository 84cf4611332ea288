import assert from "node:assert/strict";
import { test } from "node:test";
import {
  FakePlace,
  fakeExecutors,
} from "../../src/runtime/fixtures/fake-place.ts";
import { house, request, turnEnded, until } from "./house.ts";

test("[SES-19] [P6] an agent that did not keep the turn it was killed in stays native, and is told of it once", async () => {
  const place = new FakePlace();
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const { id } = await operations.createSession(request({ prompt: "hello" }));
  await until(runtime, id, turnEnded(1));
  const answer = place.onPrompt;
  place.onPrompt = (_, agent) => {
    agent.say("I begin");
    agent.die({ kind: "killed", signal: "SIGKILL" });
  };
  await operations.queuePrompt(id, { text: "build the boat" });
  await until(runtime, id, ({ type }) => type === "session.turn.interrupted");
  place.onPrompt = answer;
  place.forgotten = 1;
  const { resume } = await operations.resumeSession(id);
  assert.equal(resume?.grade, "native");
  assert.match(resume?.lost ?? "", /does not hold the turn that was cut off/);
  const open = place.orders.at(-1)?.open;
  assert.ok(open?.kind === "native");
  assert.deepEqual([open.turns, open.cut], [2, 1]);

  await operations.queuePrompt(id, { text: "go on" });
  await until(runtime, id, turnEnded(3));
  const [told, asked] = place.prompts.at(-1)?.content ?? [];
  assert.ok(told?.type === "text" && asked?.type === "text");
  assert.match(told.text, /\[USER\]: build the boat\n\[ASSISTANT\]: I begin\n/);
  assert.equal(asked.text, "go on");
  const recorded = (await operations.listEvents(id, 0, 1000)).filter(
    (event) => event.type === "session.history.injected",
  );
  assert.deepEqual(
    recorded.map(({ data }) => data.text),
    [`${told.text}\ngo on`],
    "[SES-20] it is in the journal as it was sent",
  );
  await operations.queuePrompt(id, { text: "and on" });
  await until(runtime, id, turnEnded(4));
  assert.equal(place.prompts.at(-1)?.content.length, 1);
  await runtime.close();
});
