/** Who wants something of a session waits for its agent's last words, and only while there are some to come. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionId } from "../../src/contract/base/id.ts";
import { LOCAL } from "../../src/contract/base/place.ts";
import {
  fakeExecutors,
  FakePlace,
} from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, until } from "./house.ts";
import { isReattached, running } from "./several-places.ts";

test("[REC-82] where no agent is ending, to touch a session leaves no timer", async () => {
  const store = memoryStore();
  const place = new FakePlace();
  const session = await running(store, place, LOCAL);
  const runtime = await house(fakeExecutors(place), { store });
  await runtime.recovery.startup("startup");
  await until(runtime, session, isReattached);
  const before = timers();
  for (let times = 0; times < 10; times++)
    await runtime.recovery.touch(session);
  assert.ok(timers() < before + 10);
  await runtime.close();
});

test("[REC-82] what agents said last is waited for, and then no timer is left", async () => {
  const store = memoryStore();
  const place = new FakePlace();
  const sessions: SessionId[] = [];
  for (let times = 0; times < 10; times++)
    sessions.push(await running(store, place, LOCAL));
  for (const agent of place.agentsById.values())
    agent.die({ kind: "killed", signal: "SIGKILL" });
  const runtime = await house(fakeExecutors(place), { store });
  const before = timers();
  for (const session of sessions) {
    await runtime.recovery.touch(session);
    const { is_agent_running } = await runtime.operations.showSession(session);
    assert.equal(is_agent_running, false);
  }
  assert.ok(timers() < before + sessions.length);
  await runtime.close();
});

const timers = (): number =>
  process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
