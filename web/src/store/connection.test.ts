import assert from "node:assert/strict";
import { test } from "node:test";
import type { LiveState } from "./live.ts";
import { ManualScheduler } from "../fixtures/manual-scheduler.ts";
import { NOW } from "../fixtures/samples.ts";
import { ConnectionStore } from "./connection.ts";
import { Value } from "./value.ts";

const begin = () => {
  const scheduler = new ManualScheduler();
  const live = new Value<LiveState>({ kind: "opening" });
  const store = new ConnectionStore(
    {
      get state() {
        return live.get();
      },
      subscribe: (changed) => live.subscribe(changed),
    },
    scheduler,
  );
  const kinds: string[] = [];
  store.subscribe(() => kinds.push(store.get().kind));
  const away = (next_try_at: number | null = null): void =>
    live.set({ kind: "away", since: NOW, next_try_at });
  const back = (caught_up: number): void =>
    live.set({ kind: "back", since: NOW, caught_up });
  return { scheduler, live, store, kinds, away, back };
};

test("[PAG-41] before the first answer nothing is said, for 5 s", () => {
  const { scheduler, kinds, store, away } = begin();
  scheduler.pass(100);
  away(NOW + 200);
  scheduler.pass(4_800);
  away(NOW + 5_200);
  assert.equal(store.get().kind, "opening");
  scheduler.pass(100);
  assert.deepEqual(kinds, ["away"]);
});

test("[PAG-41] a connection that is back within 1.5 s was never lost", () => {
  const { scheduler, live, kinds, away, back } = begin();
  live.set({ kind: "connected" });
  away();
  scheduler.pass(1_400);
  back(3);
  scheduler.pass(10_000);
  assert.deepEqual(kinds, ["connected"]);
});

test("[PAG-41] a server that is away is told with the time of what is shown and of the next try", () => {
  const { scheduler, live, store, away } = begin();
  live.set({ kind: "connected" });
  away(NOW + 1_000);
  scheduler.pass(1_500);
  away(NOW + 5_000);
  assert.deepEqual(store.get(), {
    kind: "away",
    since: NOW,
    nextTryAt: NOW + 5_000,
  });
  away();
  assert.deepEqual(store.get(), { kind: "away", since: NOW, nextTryAt: null });
});

test("[PAG-41] when it is back, what was caught up is told for 4 s", () => {
  const { scheduler, live, store, kinds, away, back } = begin();
  live.set({ kind: "connected" });
  away();
  scheduler.pass(10_000);
  back(214);
  assert.deepEqual(store.get(), { kind: "back", caughtUp: 214 });
  scheduler.pass(4_000);
  assert.deepEqual(kinds, ["connected", "away", "back", "connected"]);
});

test("[PAG-41] lost again while it says that it is back: it is away again", () => {
  const { scheduler, live, store, away, back } = begin();
  live.set({ kind: "connected" });
  away();
  scheduler.pass(2_000);
  back(0);
  away();
  scheduler.pass(1_500);
  assert.equal(store.get().kind, "away");
  scheduler.pass(10_000);
  assert.equal(store.get().kind, "away");
});

test("[PAG-41] a server that does not let the page in is told at once", () => {
  const { live, store } = begin();
  live.set({ kind: "refused" });
  assert.equal(store.get().kind, "refused");
});
