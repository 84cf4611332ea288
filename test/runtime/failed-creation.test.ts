import assert from "node:assert/strict";
import { test } from "node:test";
import { RepriseError } from "../../src/contract/problem.ts";
import { fakeExecutors } from "../../src/runtime/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, request } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

/** A store that is full, and says so before or after it has written. */
const full = async (written: boolean) => {
  const place = new KeepingPlace();
  const store = memoryStore();
  const runtime = await house(fakeExecutors(place), {
    store: {
      ...store,
      append: async (change) => {
        if (written) await store.append(change);
        throw new RepriseError("storage_full", "The disk is full.");
      },
    },
  });
  const create = (given: object) =>
    assert.rejects(runtime.operations.createSession(request(given)), {
      code: "storage_full",
    });
  return { place, create, close: runtime.close };
};

test("[CPT-15] what was made for a session that cannot be created is taken away", async () => {
  const { place, create, close } = await full(false);
  await create({ worktree: "/repository" });
  const [worktree] = place.worktrees;
  assert.ok(worktree !== undefined);
  const { id: session_id } = worktree;
  assert.deepEqual(place.discarded, [{ session_id, worktree, unused: true }]);
  await create({});
  assert.equal(place.discarded.at(-1)?.worktree, null);
  // A directory that it was given is somebody's.
  await create({ cwd: "/work" });
  assert.equal(place.discarded.length, 2);
  await close();
});

test("[CPT-15] of a session that is in the store after all, nothing is taken", async () => {
  const { place, create, close } = await full(true);
  await create({ worktree: "/repository" });
  assert.deepEqual(place.discarded, []);
  await close();
});
