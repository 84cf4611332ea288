/** Tasks that a server leaves in the middle, and what the next one makes of them. */
// Alone: it leaves problems, of which others have none.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TaskId } from "../../src/contract/base/id.ts";
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
  await next.recovery.startup("startup");
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

test("[TSK-40] with recovery off an attempt of before waits, and goes on when something is asked of its task", async () => {
  const store = memoryStore();
  const first = await house(away, { store });
  const { id, last_seq } = await first.operations.createTask(
    taskRequest({ run: true }),
  );
  await first.close();

  const place = new FakePlace();
  const next = await house(fakeExecutors(place), { store });
  await next.recovery.startup("off");
  const { id: other } = await next.operations.createTask(
    taskRequest({ run: true }),
  );
  const inReview = (task: TaskId) =>
    eventually(
      () => next.operations.showTask(task),
      ({ state }) => state === "REVIEW",
    );
  await inReview(other);
  assert.equal((await next.operations.showTask(id)).last_seq, last_seq);
  await next.operations.addContext(id, { text: "More." });
  await inReview(id);
  await next.close();
});
