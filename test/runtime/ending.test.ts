/** The last checkpoint of a session that is ended. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../src/contract/event/event.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, type House, problems, request, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

const capturedAs = (kind: "turn" | "end") => (event: Event) =>
  event.type === "session.checkpoint.saved" &&
  event.data.checkpoint.kind === kind;

/** A session that was told something, and whose turn is captured. */
const told = async (runtime: House): Promise<SessionId> => {
  const wish = request({ prompt: "one" });
  const { id } = await runtime.operations.createSession(wish);
  await until(runtime, id, capturedAs("turn"));
  return id;
};

const stage = async (given: { checkpointMs?: number } = {}) => {
  const place = new KeepingPlace();
  const store = memoryStore();
  const runtime = await house(fakeExecutors(place), { store, ...given });
  return { place, store, runtime, ...runtime };
};

test("[CPT-25] an end is over when what it left is captured", async () => {
  const { place, runtime, operations, close } = await stage();
  const id = await told(runtime);
  place.isStill = false;
  const ended = await operations.endSession(id, { outcome: "completed" });
  assert.deepEqual([ended.state, ended.checkpoint?.kind], ["COMPLETED", "end"]);
  await close();
});

test("[CPT-25] a workspace that is gone is not captured at the end", async () => {
  const { place, store, runtime, operations, close } = await stage();
  const id = await told(runtime);
  place.workspaceKind = "missing";
  const ended = await operations.endSession(id, { outcome: "cancelled" });
  assert.deepEqual(
    [ended.state, ended.checkpoint?.kind],
    ["CANCELLED", "turn"],
  );
  const types = (await store.events(id, 0, 1000)).map(({ type }) => type);
  assert.ok(types.includes("session.checkpoint.skipped"));
  assert.ok(!types.includes("session.notice"));
  await close();
});

test("[CPT-25] ending does not wait for a capture longer than one may take", async () => {
  const { place, runtime, operations } = await stage({ checkpointMs: 50 });
  const id = await told(runtime);
  const held = Promise.withResolvers<void>();
  place.held = held.promise;
  const ended = await operations.endSession(id, { outcome: "completed" });
  assert.deepEqual(
    [ended.state, ended.checkpoint?.kind],
    ["COMPLETED", "turn"],
  );
  held.resolve();
  await until(runtime, id, capturedAs("end"));
  await runtime.close();
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
