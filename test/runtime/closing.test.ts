/** A server that closes does not wait for requests that wait for an agent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { patience } from "../../src/kit/fixtures/patience.ts";
import { within } from "../../src/kit/time/deadline.ts";
import {
  fakeExecutors,
  FakePlace,
} from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, request, turnEnded, until } from "./house.ts";

const closing = { code: "agentctl_unavailable", message: /is closing/ };

test("[REC-83] a resume with a key that waits for its agent is told that the server closes, and is answered by the next", async () => {
  const { place, store, runtime, session } = await idle();
  await runtime.operations.pauseSession(session);
  place.holdStarts = true;
  const told = assert.rejects(
    runtime.operations.resumeSession(session, {}, "key"),
    closing,
  );
  await place.waitForStarts(2);
  await within("closing", patience(5000), runtime.close());
  await told;

  place.holdStarts = false;
  place.releaseStarts();
  const next = await house(fakeExecutors(place), { store });
  const again = await next.operations.resumeSession(session, {}, "key");
  assert.equal(again.state, "WAITING_FOR_INPUT");
  // The order may be given again; the execution is the same.
  const started = new Set(place.orders.map((order) => order.execution_id));
  assert.equal(started.size, 2);
  await next.close();
});

test("[REC-83] so is a pause with a key whose agent does not stop", async () => {
  const { place, runtime, session } = await idle();
  const stopping = Promise.withResolvers<void>();
  place.stop = async () => stopping.resolve();
  const told = assert.rejects(
    runtime.operations.pauseSession(session, "key"),
    closing,
  );
  await stopping.promise;
  await within("closing", patience(5000), runtime.close());
  await told;
});

/** A session whose agent has answered a prompt. */
const idle = async () => {
  const place = new FakePlace();
  const store = memoryStore();
  const runtime = await house(fakeExecutors(place), { store });
  const { id: session } = await runtime.operations.createSession(
    request({ prompt: "hello" }),
  );
  await until(runtime, session, turnEnded(1));
  return { place, store, runtime, session };
};
