/** Tasks that a server leaves in the middle, and what the next one makes of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { eventually, patience } from "../../src/kit/fixtures/patience.ts";
import { within } from "../../src/kit/time/deadline.ts";
import {
  fakeExecutors,
  FakePlace,
} from "../../src/runtime/fixtures/fake-place.ts";
import type { Executors } from "../../src/runtime/ports/executors.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, promptsIn, taskRequest } from "./house.ts";

const away: Executors = {
  ...fakeExecutors(),
  obtain: async () => {
    throw new RepriseError("agentctl_unavailable", "It cannot be reached.");
  },
};

test("[TSK-3] [TSK-8] a server closes while attempts wait for a place, and the next one makes them once; a damaged task keeps no other waiting", async () => {
  const memory = memoryStore();
  const first = await house(away, { store: memory });
  const make = (title: string) =>
    first.operations.createTask(taskRequest({ title, run: true }));
  const [sound, broken] = [await make("Sound"), await make("Broken")];
  assert.equal(sound.state, "IN_PROGRESS");
  await within("closing", patience(5000), first.close());

  const store: Store = {
    ...memory,
    loadTask: async (id) => {
      if (id === broken.id)
        throw new RepriseError("task_damaged", "It is damaged.");
      return memory.loadTask(id);
    },
  };
  const next = await house(fakeExecutors(new FakePlace()), { store });
  const task = await eventually(
    () => next.operations.showTask(sound.id),
    ({ state }) => state === "REVIEW",
  );
  assert.deepEqual([task.attempts, task.session_ids.length], [1, 1]);
  const [session] = task.session_ids;
  assert.ok(session !== undefined);
  assert.equal((await promptsIn(next.operations, session)).length, 1);
  assert.equal(
    (await next.operations.showTask(broken.id)).state,
    "IN_PROGRESS",
    "what its row says is shown",
  );
  await next.close();
});
