/** Vaults that are swept later, and checkpoints of which nobody knows where they are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCAL } from "../../src/contract/base/place.ts";
import { RepriseError } from "../../src/contract/problem/problem.ts";
import { tree } from "../../src/session/testing.ts";
import { house, problems } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";
import { executorsOf, FAR } from "./several-places.ts";
import { stage } from "./upkeep-stage.ts";

const fate = { ended: [], deleted: [], purged: [] };

test("[CPT-60] a vault whose sweep failed after its last session is swept later, also by another server", async () => {
  const { store, far, there, clock, operations, close } = await stage();
  await operations.deleteSession(there);
  clock.days = 100;
  const lost = new RepriseError("agentctl_unavailable", "It went away.");
  far.beginning = Promise.reject(lost);
  far.beginning.catch(() => undefined);
  assert.deepEqual(await operations.keepRetention(), {
    ...fate,
    purged: [there],
  });
  assert.equal(far.prunes.length, 0);
  assert.deepEqual(await store.places(), [LOCAL]);
  await close();

  const later = new KeepingPlace(2);
  const near = new KeepingPlace(1);
  const next = await house(
    executorsOf([LOCAL, () => near], [FAR, () => later]),
    {
      store,
    },
  );
  const { places } = await next.operations.showDiskUse();
  assert.ok(
    places?.some(({ place }) => place.id === FAR.id),
    "it takes room",
  );
  assert.deepEqual(await next.operations.keepRetention(), fate);
  assert.deepEqual(
    later.prunes.map(({ trees }) => trees),
    [[]],
  );
  await next.operations.keepRetention();
  assert.equal(later.prunes.length, 1, "once is enough");
  assert.equal(near.prunes.length, 0, "nothing has gone there");
  await next.close();
  problems.length = 0;
});

test("[CPT-60] a sweep that frees nothing because of damage, and a dry run, are no sweeps", async () => {
  const { store, far, there, clock, operations, close } = await stage({
    third: FAR,
  });
  far.unreadable = [tree(3)];
  await operations.deleteSession(there);
  clock.days = 100;
  await operations.keepRetention();
  await operations.collectGarbage({ dry_run: true });
  assert.deepEqual(
    (await store.unswept()).map(({ place }) => place),
    [FAR],
  );
  far.unreadable = [];
  await operations.keepRetention();
  assert.deepEqual(await store.unswept(), []);
  await close();
});

test("[CPT-61] checkpoints of an unknown place are counted where they are found, and named", async () => {
  const { near, far, here, there, operations, close } = await stage({
    wrap: (store) => ({
      ...store,
      async *needed() {
        for await (const each of store.needed()) {
          const isLost = each.place !== null && each.place.id === FAR.id;
          const checkpoints = each.checkpoints.map((checkpoint) => ({
            ...checkpoint,
            place: isLost ? null : checkpoint.place,
          }));
          yield { ...each, checkpoints };
        }
      },
    }),
  });
  const use = await operations.showDiskUse();
  assert.deepEqual(use.unplaced, [{ session_id: there, checkpoints: 1 }]);
  const asked = (place: KeepingPlace) =>
    place.measured.map(({ sets }) => sets.map(({ id, trees }) => [id, trees]));
  assert.deepEqual(asked(near), [
    [
      [here, [tree(1)]],
      [there, [tree(2)]],
    ],
  ]);
  assert.deepEqual(asked(far), [[[there, [tree(2)]]]]);
  assert.ok(use.sessions.some(({ id }) => id === there));
  await close();
});
