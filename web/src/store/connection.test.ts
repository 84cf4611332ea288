import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualScheduler } from "../fixtures/manual-scheduler.ts";
import { NOW } from "../fixtures/samples.ts";
import { ConnectionStore } from "./connection.ts";

const begin = () => {
  const scheduler = new ManualScheduler();
  const connection = new ConnectionStore(scheduler);
  const kinds: string[] = [];
  connection.subscribe(() => kinds.push(connection.get().kind));
  return { scheduler, connection, kinds };
};

test("[PAG-41] before the first answer nothing is said, for 5 s", () => {
  const { scheduler, connection, kinds } = begin();
  connection.lost(100);
  scheduler.pass(4_900);
  connection.lost(100);
  assert.equal(connection.get().kind, "opening");
  scheduler.pass(100);
  assert.deepEqual(kinds, ["away"]);
});

test("[PAG-41] a connection that is back within 1.5 s was never lost", () => {
  const { scheduler, connection, kinds } = begin();
  connection.opened();
  connection.lost(100);
  scheduler.pass(1_400);
  connection.opened();
  scheduler.pass(10_000);
  assert.deepEqual(kinds, ["connected"]);
});

test("[PAG-41] a server that is away is told with the time of what is shown and of the next try", () => {
  const { scheduler, connection } = begin();
  connection.opened();
  scheduler.pass(500);
  connection.heard();
  scheduler.pass(3_000);
  connection.lost(0);
  scheduler.pass(1_500);
  connection.lost(4_000);
  assert.deepEqual(connection.get(), {
    kind: "away",
    since: NOW + 500,
    nextTryAt: NOW + 5_000 + 4_000,
  });
  connection.trying();
  assert.deepEqual(connection.get(), {
    kind: "away",
    since: NOW + 500,
    nextTryAt: null,
  });
});

test("[PAG-41] when it is back, what happened meanwhile is counted for 4 s", () => {
  const { scheduler, connection, kinds } = begin();
  connection.opened();
  connection.lost(0);
  scheduler.pass(10_000);
  connection.opened();
  connection.heard(new Date(NOW + 2_000).toISOString());
  connection.heard(new Date(NOW + 3_000).toISOString());
  scheduler.pass(1_000);
  connection.heard(new Date(NOW + 11_000).toISOString());
  assert.deepEqual(connection.get(), { kind: "back", caughtUp: 2 });
  scheduler.pass(3_000);
  assert.equal(connection.get().kind, "connected");
  assert.deepEqual([...new Set(kinds)], ["connected", "away", "back"]);
});

test("[PAG-41] lost again while it says that it is back: it is away again", () => {
  const { scheduler, connection } = begin();
  connection.opened();
  connection.lost(0);
  scheduler.pass(2_000);
  connection.opened();
  connection.lost(0);
  scheduler.pass(1_500);
  assert.equal(connection.get().kind, "away");
  scheduler.pass(10_000);
  assert.equal(connection.get().kind, "away");
});
