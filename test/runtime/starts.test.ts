import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError } from "../../src/contract/problem.ts";
import { within } from "../../src/kit/deadline.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { FakePlace, fakeExecutors } from "../../src/runtime/fake-place.ts";
import { house, problems, request, turnEnded, until } from "./house.ts";

test("[REC-6] a start that is repeated holds one slot: lost starts of a few sessions keep nobody out", async () => {
  const place = new FakePlace();
  place.holdStarts = true;
  const runtime = await house(fakeExecutors(place));
  const create = () =>
    runtime.operations.createSession(request({ prompt: "hello" }));
  const started = (count: number) =>
    within("starting", patience(5000), place.waitForStarts(count));
  const sessions = await Promise.all(Array.from({ length: 4 }, create));

  // Each start is lost twice. With a slot for each of them, 12 would be needed, and there are 8.
  for (const round of [1, 2, 3]) {
    await started(4 * round);
    if (round === 3) break;
    for (const agent of place.agentsById.values())
      if (agent.alive) agent.die({ kind: "vanished" });
  }
  // Four are coming up: there is room for four more, and only four.
  sessions.push(...(await Promise.all(Array.from({ length: 8 }, create))));
  await started(16);
  assert.equal(place.orders.length, 16);

  place.holdStarts = false;
  place.releaseStarts();
  for (const { id } of sessions) await until(runtime, id, turnEnded(1));
  await runtime.close();
});

test("[REC-7] [P10] a session that is paused before its agent was launched comes to rest, and back", async () => {
  const place = new FakePlace();
  const start = place.start.bind(place);
  const launching = Promise.withResolvers<void>();
  // agentctl goes away before it gets the order.
  place.start = () => {
    launching.resolve();
    place.start = start;
    return Promise.reject(new RepriseError("agentctl_unavailable", "away"));
  };
  const runtime = await house(fakeExecutors(place), {
    resumeDeadlineMs: patience(5000),
  });
  const { operations } = runtime;
  const { id } = await operations.createSession(request({ prompt: "hello" }));
  await launching.promise;
  assert.equal((await operations.pauseSession(id)).state, "PAUSED");
  assert.deepEqual(place.orders, []);
  await operations.resumeSession(id);
  await until(runtime, id, turnEnded(1));
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
