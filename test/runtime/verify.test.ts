/** Reading everything that is stored, as the server sees it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL } from "../../src/contract/base/place.ts";
import { fakeExecutors } from "../../src/runtime/fixtures/fake-place.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house, request, until } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";

const stage = async (resumeDeadlineMs?: number) => {
  const place = new KeepingPlace();
  const store = memoryStore();
  const runtime = await house(fakeExecutors(place), {
    store,
    ...(resumeDeadlineMs === undefined ? {} : { resumeDeadlineMs }),
  });
  const add = async () => {
    const { id } = await runtime.operations.createSession(request());
    await until(runtime, id, ({ type }) => type === "session.checkpoint.saved");
    const [checkpoint] = await runtime.operations.listCheckpoints(id);
    assert.ok(checkpoint?.tree);
    return { id, checkpoint, tree: checkpoint.tree };
  };
  return { place, add, ...runtime };
};

test("[CPT-23] [API-96] checkpoints that are not whole are named by session and turn", async () => {
  const { place, operations, add, close } = await stage();
  const [one, two] = [await add(), await add()];
  place.broken = [{ tree: two.tree, lost: 12, paths: ["a", "b"] }];
  const { verification } = await operations.collectGarbage({
    dry_run: true,
    verify: true,
  });
  assert.deepEqual(place.verified, [
    { trees: [one.tree, two.tree], dry_run: true },
  ]);
  assert.ok(verification !== undefined);
  const { places, ...sums } = verification;
  assert.deepEqual(places, [{ place: LOCAL, ...sums }]);
  assert.deepEqual(sums, {
    packs: 1,
    bytes: 2,
    objects: 3,
    damaged: 4,
    checkpoints: 2,
    broken: [
      {
        session_id: two.id,
        turn: two.checkpoint.turn,
        checkpoint: two.checkpoint.id,
        kind: "baseline",
        of: "workspace",
        lost: 12,
        paths: ["a", "b"],
      },
    ],
  });
  const without = await operations.collectGarbage({ dry_run: true });
  assert.equal(without.verification, undefined);
  assert.equal(place.verified.length, 1);
  await close();
});

test("[CPT-24] [API-96] whose directories cannot be read is named, because nothing is freed", async () => {
  const { place, operations, add, close } = await stage();
  const [, two] = [await add(), await add()];
  place.unreadable = [two.tree];
  const { blocked_by } = await operations.collectGarbage({ dry_run: false });
  assert.deepEqual(
    blocked_by?.map(({ session_id, checkpoint }) => [session_id, checkpoint]),
    [[two.id, two.checkpoint.id]],
  );
  await close();
});

test("[API-96] a reading that takes long goes on, and whoever asks again is told its result, once", async () => {
  const { place, operations, add, close } = await stage(20);
  await add();
  const { promise, resolve } = Promise.withResolvers<void>();
  place.reading = promise;
  const ask = () => operations.collectGarbage({ dry_run: false, verify: true });
  for (const _ of ["first", "again"])
    await assert.rejects(ask(), { code: "timed_out" });
  assert.equal(place.verified.length, 1);
  resolve();
  assert.equal((await ask()).verification?.packs, 1);
  assert.equal(place.verified.length, 1);
  await ask();
  assert.equal(place.verified.length, 2);
  await close();
});

test("[API-96] retention does not wait for a reading", async () => {
  const { place, operations, add, close } = await stage();
  await add();
  const { promise, resolve } = Promise.withResolvers<void>();
  place.reading = promise;
  const reading = operations.collectGarbage({ dry_run: true, verify: true });
  await operations.keepRetention();
  resolve();
  assert.equal((await reading).verification?.packs, 1);
  await close();
});
