/** Sessions with checkpoints at two places, for tests of upkeep. */
import { LOCAL, type PlaceRef } from "../../src/contract/base/place.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";
import type { FakePlace } from "../../src/runtime/fixtures/fake-place.ts";
import type { Store } from "../../src/runtime/ports/store.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { house } from "./house.ts";
import { KeepingPlace } from "./keeping-place.ts";
import { checkpointed, executorsOf, FAR } from "./several-places.ts";

export const DAY_MS = 86_400_000;

type Given = {
  far?: () => FakePlace | Promise<FakePlace>;
  near?: () => FakePlace | Promise<FakePlace>;
  wrap?: (store: Store) => Store;
  /** Where there is a third session. */
  third?: PlaceRef;
};

/** Two sessions with one checkpoint each: one here, one far away. */
export const stage = async ({
  far,
  near,
  wrap = (store) => store,
  third,
}: Given = {}) => {
  const store = memoryStore();
  const places = { near: new KeepingPlace(1), far: new KeepingPlace(2) };
  const here = await checkpointed(store, LOCAL, 1);
  const there = await checkpointed(store, FAR, 2);
  if (third !== undefined) await checkpointed(store, third, 3);
  const clock = { days: 0 };
  const runtime = await house(
    executorsOf(
      [LOCAL, near ?? (() => places.near)],
      [FAR, far ?? (() => places.far)],
    ),
    {
      store: wrap(store),
      now: () => new Date(Date.now() + clock.days * DAY_MS),
      // For places that never answer; those that do need some of it on a busy machine.
      reachMs: patience(100),
      upkeepMs: patience(200),
      resumeDeadlineMs: patience(500),
    },
  );
  return { store, ...places, here, there, clock, ...runtime };
};
