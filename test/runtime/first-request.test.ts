/** With `recovery: "off"` nobody listens to agents of an earlier server until something is asked of their session. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionId } from "../../src/contract/base/id.ts";
import { LOCAL } from "../../src/contract/base/place.ts";
import {
  fakeExecutors,
  FakePlace,
} from "../../src/runtime/fixtures/fake-place.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, type House, problems, until } from "./house.ts";
import { running } from "./several-places.ts";

/** The first thing that this server does for a session is what is asked of it. */
const askFirst = async (
  ask: (
    operations: House["operations"],
    session: SessionId,
  ) => Promise<unknown>,
  ...places: [FakePlace] | [null, FakePlace]
): Promise<string[]> => {
  const store = memoryStore();
  const place = places.at(-1) ?? new FakePlace();
  const session = await running(store, place, LOCAL);
  const runtime = await house(fakeExecutors(...places), {
    store,
    resumeDeadlineMs: patience(5000),
  });
  await runtime.recovery.startup("off");
  assert.deepEqual(place.asked, [], "nothing is touched by itself");
  await ask(runtime.operations, session);
  const events = await until(
    runtime,
    session,
    ({ type }) => type === "session.execution.ended",
  );
  const { agent_execution_id } = await runtime.operations.showSession(session);
  assert.equal(agent_execution_id, null);
  await runtime.close();
  return events.map(({ type }) => type);
};

test("[REC-100] a pause that is the first request hears the end of the agent that it stops", async () => {
  await askFirst(
    (operations, session) => operations.pauseSession(session),
    new FakePlace(),
  );
});

test("[REC-100] so do an end and a deletion", async () => {
  await askFirst(
    (operations, session) =>
      operations.endSession(session, { outcome: "completed" }),
    new FakePlace(),
  );
  await askFirst(
    (operations, session) => operations.deleteSession(session),
    new FakePlace(),
  );
});

test("[REC-100] where agentctl cannot be had at first, the agent is attached when it can", async () => {
  await askFirst(
    (operations, session) => operations.pauseSession(session),
    null,
    new FakePlace(),
  );
});

test("[REC-100] a cancel that is the first request hears how the turn ends", async () => {
  const store = memoryStore();
  const place = new FakePlace();
  const session = await running(store, place, LOCAL);
  const first = await house(fakeExecutors(place), { store });
  place.onPrompt = () => undefined;
  const { id } = await first.operations.queuePrompt(session, { text: "work" });
  await until(
    first,
    session,
    ({ type }) => type === "session.prompt.delivered",
  );
  await first.close();

  const runtime = await house(fakeExecutors(place), { store });
  await runtime.recovery.startup("off");
  place.asked.length = 0;
  await runtime.operations.cancelTurn(session);
  for (const agent of place.agentsById.values()) agent.endTurn(id);
  await until(runtime, session, ({ type }) => type === "session.turn.ended");
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
