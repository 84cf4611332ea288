import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "../../src/contract/base/content.ts";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import {
  house,
  promptsIn,
  problems,
  request,
  turnEnded,
  until,
} from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

test("[SES-9] neither a fork nor an agent that is given the history hears of a prompt that was withdrawn", async () => {
  const place = new KeepingPlace();
  const runtime = await house(fakeExecutors(place));
  const { operations } = runtime;
  const { id } = await operations.createSession(request({ prompt: "one" }));
  await until(runtime, id, turnEnded(1));
  Object.assign(place, { dropsPrompts: true, holdStarts: true });
  const taken = await operations.queuePrompt(id, { text: "two" });
  await until(runtime, id, ({ type }) => type === "session.prompt.requeued");
  await operations.cancelPrompt(id, taken.id);
  await place.waitForStarts(2);
  Object.assign(place, { dropsPrompts: false, holdStarts: false });
  place.releaseStarts();
  await operations.queuePrompt(id, { text: "three" });
  await until(runtime, id, turnEnded(3));

  const fork = await operations.forkSession(id, {});
  assert.equal(fork.turn_count, 2);
  assert.deepEqual(await promptsIn(operations, fork.id), ["one", "three"]);

  await operations.handOffSession(id, { agent: "other" });
  await operations.queuePrompt(id, { text: "four" });
  await until(runtime, id, turnEnded(4));
  const history = textOf(place.prompts.at(-1)?.content ?? []);
  assert.match(history, /\[USER\]: three/);
  assert.doesNotMatch(history, /\[USER\]: two/);
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
