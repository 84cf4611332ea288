import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeExecutors } from "../../src/runtime/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, problems, request, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

test("[CPT-10] [SES-19] a fork of a turn that was left behind knows which of its turns were cut off", async () => {
  const place = new KeepingPlace();
  const store = memoryStore();
  const runtime = await house(fakeExecutors(place), { store });
  const { operations } = runtime;
  place.onPrompt = (_, agent) =>
    agent.die({ kind: "killed", signal: "SIGKILL" });
  const { id } = await operations.createSession(request({ prompt: "one" }));
  await until(
    runtime,
    id,
    (event) =>
      event.type === "session.checkpoint.saved" &&
      event.data.checkpoint.kind === "turn",
  );
  await operations.rewindSession(id, { turn: 0, dry_run: false });
  const fork = await operations.forkSession(id, { turn: 1 });
  const [forked] = (await store.events(fork.id, 0, 100)).filter(
    ({ type }) => type === "session.forked",
  );
  assert.ok(forked?.type === "session.forked");
  assert.deepEqual(forked.data.cut, [1]);
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
