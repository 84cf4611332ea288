/** Upkeep at several places: each by what its own sessions need, and none waits for another. */
// Alone: it lists the notes of all forks of its process.
import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { SessionId } from "../../src/contract/base/id.ts";
import { LOCAL, type PlaceRef } from "../../src/contract/base/place.ts";
import { ulid } from "../../src/kit/data/ulid.ts";
import type { FakePlace } from "../../src/runtime/fixtures/fake-place.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { tree } from "../../src/session/testing.ts";
import { house, problems, request, root } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";
import { away, codeAt, executorsOf, FAR, never } from "./several-places.ts";
import { DAY_MS, stage } from "./upkeep-stage.ts";

const unreached = {
  "does not answer": never,
  refuses: away,
};

test("[CPT-56] every vault is freed of what the checkpoints at its own place do not need", async () => {
  const { near, far, operations, close } = await stage();
  const { places, ...done } = await operations.collectGarbage({
    dry_run: false,
  });
  assert.deepEqual(
    near.prunes.map(({ trees }) => trees),
    [[tree(1)]],
  );
  assert.deepEqual(
    far.prunes.map(({ trees }) => trees),
    [[tree(2)]],
  );
  assert.deepEqual([done.freed_bytes, done.kept_bytes], [20, 40]);
  assert.deepEqual(places, [
    { place: LOCAL, freed_bytes: 10, kept_bytes: 20 },
    { place: FAR, freed_bytes: 10, kept_bytes: 20 },
  ]);
  await close();
});

for (const [how, reach] of Object.entries(unreached))
  test(`[CPT-57] [REC-73] where a place ${how}, the others are freed and the answer names it`, async () => {
    const { near, operations, close } = await stage({ far: reach });
    const done = await operations.collectGarbage({ dry_run: false });
    assert.deepEqual(
      near.prunes.map(({ trees }) => trees),
      [[tree(1)]],
    );
    assert.deepEqual([done.freed_bytes, done.kept_bytes], [10, 20]);
    const [mine, theirs] = done.places ?? [];
    assert.deepEqual(mine, { place: LOCAL, freed_bytes: 10, kept_bytes: 20 });
    assert.ok(theirs !== undefined && "problem" in theirs);
    assert.deepEqual(theirs.place, FAR);
    assert.equal(theirs.problem.code, "agentctl_unavailable");
    assert.match(theirs.problem.detail, /\w+.*\.$/);
    await close();
  });

test("[CPT-57] an order that comes to no end keeps its own place alone, also for the next collection", async () => {
  const { far, near, operations, close } = await stage();
  const { promise, resolve } = Promise.withResolvers<void>();
  far.beginning = promise;
  for (const times of [1, 2]) {
    const { places } = await operations.collectGarbage({ dry_run: false });
    assert.equal(near.prunes.length, times);
    assert.equal(codeAt(places, FAR), "timed_out");
  }
  resolve();
  // The one that nobody waited for is over before the next begins.
  const { places } = await operations.collectGarbage({ dry_run: false });
  assert.equal(codeAt(places, FAR), null);
  assert.equal(far.prunes.length, 3);
  await close();
});

test("[CPT-57] where no place can be reached, that is the answer", async () => {
  const { operations, close } = await stage({ near: away, far: never });
  for (const ask of [
    () => operations.collectGarbage({ dry_run: false }),
    () => operations.showDiskUse(),
    () => operations.collectGarbage({ dry_run: true, verify: true }),
  ])
    await assert.rejects(ask(), { code: "agentctl_unavailable" });
  await close();
});

test("[CPT-56] [P8] what is needed and nobody knows where is kept everywhere; what nobody knows blocks its own place alone", async () => {
  const wrap =
    (isKnown: boolean) =>
    (store: Store): Store => ({
      ...store,
      async *needed() {
        for await (const each of store.needed()) {
          const isFar = each.place?.kind === FAR.kind;
          const place = isFar && !isKnown ? null : each.place;
          yield {
            ...each,
            place,
            checkpoints: each.checkpoints.map((one) => ({ ...one, place })),
            isIncomplete: isFar && isKnown,
          };
        }
      },
    });
  const lost = await stage({ wrap: wrap(false) });
  await lost.operations.collectGarbage({ dry_run: false });
  assert.deepEqual(lost.near.prunes[0]?.trees, [tree(1), tree(2)]);
  assert.deepEqual(lost.far.prunes[0]?.trees, [tree(2)]);
  await lost.close();

  const damaged = await stage({ wrap: wrap(true) });
  const done = await damaged.operations.collectGarbage({ dry_run: false });
  assert.equal(damaged.near.prunes.length, 1);
  assert.deepEqual(damaged.far.prunes, []);
  assert.deepEqual(done.damaged_sessions, [damaged.there]);
  assert.equal(done.freed_bytes, 10);
  await damaged.close();
});

for (const [how, reach] of Object.entries(unreached))
  test(`[REC-73] [API-132] a session is purged at its place, and stays in the trash while that place ${how}`, async () => {
    let isAway = true;
    const far = new KeepingPlace(2);
    const { here, there, clock, operations, near, close } = await stage({
      far: () => (isAway ? reach() : far),
    });
    for (const session of [here, there])
      await operations.deleteSession(session);
    clock.days = 100;
    const told = await operations.collectGarbage({ dry_run: true });
    const done = await operations.collectGarbage({ dry_run: false });
    assert.deepEqual([told.purged, done.purged], [[here], [here]]);
    assert.deepEqual(
      near.discarded.map((each) => each.session_id),
      [here],
    );
    isAway = false;
    const again = await operations.collectGarbage({ dry_run: false });
    assert.deepEqual(again.purged, [there]);
    assert.deepEqual(far.prunes.at(-1)?.trees, [], "the last one of its place");
    assert.deepEqual(
      far.discarded.map((each) => each.session_id),
      [there],
    );
    await close();
  });

test("[CPT-58] [API-96] everything is read at each place; one that takes long is told of, and what the others showed is kept", async () => {
  const { near, far, there, operations, close } = await stage();
  far.broken = [{ tree: tree(2), lost: 1, paths: ["a"] }];
  // The same tree was lost here too, where no checkpoint needs it.
  near.broken = [{ tree: tree(2), lost: 1, paths: ["a"] }];
  const { promise, resolve } = Promise.withResolvers<void>();
  far.reading = promise;
  const ask = async () =>
    (await operations.collectGarbage({ dry_run: true, verify: true }))
      .verification;
  const first = await ask();
  assert.deepEqual([first?.packs, first?.broken], [1, []]);
  assert.equal(codeAt(first?.places, FAR), "timed_out");
  resolve();
  const second = await ask();
  assert.deepEqual([second?.packs, second?.checkpoints], [2, 2]);
  assert.deepEqual(
    second?.broken.map(({ session_id }) => session_id),
    [there],
  );
  assert.equal(codeAt(second?.places, FAR), null);
  assert.deepEqual([near.verified.length, far.verified.length], [1, 1]);
  assert.deepEqual(
    [near.verified[0]?.trees, far.verified[0]?.trees],
    [[tree(1)], [tree(2)]],
  );
  await close();
});

test("[CPT-59] what checkpoints take is the sum of the places, and who cannot be asked is left out and named", async () => {
  const { here, there, operations, close } = await stage();
  const use = await operations.showDiskUse();
  assert.equal(use.total_bytes, 14);
  assert.deepEqual(
    new Set(use.sessions.map((each) => each.id)),
    new Set([here, there]),
  );
  assert.deepEqual(use.places, [
    { place: LOCAL, total_bytes: 7 },
    { place: FAR, total_bytes: 7 },
  ]);
  const one = await operations.showDiskUse(there);
  assert.deepEqual([one.total_bytes, one.places?.length], [7, 1]);
  await close();

  const lonely = await stage({ far: never });
  const left = await lonely.operations.showDiskUse();
  assert.equal(left.total_bytes, 7);
  assert.deepEqual(
    left.sessions.map((each) => each.id),
    [lonely.here],
  );
  assert.equal(codeAt(left.places, FAR), "agentctl_unavailable");
  await assert.rejects(lonely.operations.showDiskUse(lonely.there), {
    code: "agentctl_unavailable",
  });
  await lonely.close();
});

test("[REC-74] sessions with the same path at two places do not share a directory", async () => {
  const { here, there, operations, close } = await stage();
  const { id: beside } = await operations.createSession(
    request({ cwd: "/same" }),
  );
  const shared = async (session: SessionId) =>
    (await operations.listEvents(session, 0, 1000)).some(
      ({ type }) => type === "session.workspace.shared",
    );
  assert.deepEqual(
    [await shared(here), await shared(beside), await shared(there)],
    [true, true, false],
  );
  const { sessions } = await operations.listSessions({
    limit: 9,
    cwd: "/same",
  });
  assert.deepEqual(
    new Set(sessions.map((each) => each.id)),
    new Set([here, beside]),
  );
  await close();
});

test("[REC-75] a fork goes on at the place of its parent, where its checkpoints are", async () => {
  const { there, operations, close } = await stage();
  const fork = await operations.forkSession(there, {});
  assert.deepEqual(fork.place, FAR);
  await close();
});

test("[REC-76] what forks that never came to be left is taken away at each place, and a place that does not answer keeps its note", async () => {
  const notes = join(root, "workspaces/.forks");
  await mkdir(notes, { recursive: true });
  const note = async (place?: PlaceRef): Promise<string> => {
    const session = `ses_${ulid(Date.now() - 60_000)}`;
    const worktree = {
      id: session,
      path: join(root, "workspaces", session),
      branch: `reprise/${session.slice(-8)}`,
      repository: "/repository",
    };
    const text = JSON.stringify({ ...worktree, ...(place && { place }) });
    await writeFile(join(notes, session), text);
    return session;
  };
  // Older releases did not note the place.
  const [mine, theirs] = [await note(), await note(FAR)];
  let isAway = true;
  const far = new KeepingPlace(2);
  const { near, operations, close } = await stage({
    far: () => (isAway ? never() : far),
  });
  await operations.keepRetention();
  assert.deepEqual(
    near.discarded.map((each) => each.session_id),
    [mine],
  );
  assert.deepEqual(await readdir(notes), [theirs]);
  isAway = false;
  await operations.keepRetention();
  assert.deepEqual(
    far.discarded.map((each) => each.session_id),
    [theirs],
  );
  assert.deepEqual(await readdir(notes), []);
  assert.equal(near.discarded.length, 1);
  await close();
});

test("[REC-73] a server that closes does not wait for a place that retention waits for", async () => {
  const { there, store, operations, close } = await stage();
  await operations.deleteSession(there);
  await close();
  const asked = Promise.withResolvers<void>();
  const silent = (): Promise<FakePlace> => {
    asked.resolve();
    return never();
  };
  const later = await house(
    executorsOf([LOCAL, () => new KeepingPlace(1)], [FAR, silent]),
    {
      store,
      now: () => new Date(Date.now() + 100 * DAY_MS),
      retention: { ttl_days: null, retention_days: null, trash_days: 7 },
    },
  );
  await asked.promise;
  await later.close();
  assert.notEqual(await store.session(there), null);
});

test("nothing went wrong behind the scenes", () => {
  assert.deepEqual(problems, []);
});
