import assert from "node:assert/strict";
import { test } from "node:test";
import { checkpointId } from "../../contract/session/checkpoint.ts";
import { fateOf, mayBePurged, type Retention } from "./retention.ts";

const now = "2026-02-01T00:00:00.000Z";
const ago = (days: number): string =>
  new Date(Date.parse(now) - days * 86_400_000).toISOString();

const policy: Retention = { ttl_days: 10, retention_days: 20, trash_days: 7 };
const off: Retention = { ttl_days: null, retention_days: null, trash_days: 7 };
type Facts = Partial<Parameters<typeof fateOf>[0]>;
const fate = (facts: Facts, by = policy) =>
  fateOf(
    {
      state: "PAUSED",
      last_active_at: ago(0),
      deleted_at: null,
      ...facts,
    },
    by,
    now,
  );

test("[CPT-14] [P8] nothing goes by itself unless it was asked for", () => {
  assert.equal(fate({ last_active_at: ago(1000) }, off), "keep");
  const ended: Facts = { state: "COMPLETED", last_active_at: ago(1000) };
  assert.equal(fate(ended, off), "keep");
});

test("[CPT-14] ttl_days ends what nobody used, retention_days puts away what has ended", () => {
  assert.equal(fate({ last_active_at: ago(9.9) }), "keep");
  assert.equal(fate({ last_active_at: ago(10) }), "end");
  assert.equal(fate({ state: "ERROR", last_active_at: ago(10) }), "end");
  assert.equal(fate({ state: "FAILED", last_active_at: ago(19) }), "keep");
  assert.equal(fate({ state: "FAILED", last_active_at: ago(20) }), "delete");
});

test("[CPT-14] what is at work is in use, however long it says nothing", () => {
  for (const state of ["RUNNING", "STARTING"] as const)
    assert.equal(fate({ state, last_active_at: ago(100) }), "keep");
});

test("[CPT-14] [P8] what still runs, or is being rewound, is not purged", () => {
  const resting = {
    deleted_at: ago(9),
    execution: null,
    checkpoints: { rewinding: null },
  };
  assert.equal(mayBePurged(resting), true);
  assert.equal(mayBePurged({ ...resting, deleted_at: null }), false);
  const rewinding = {
    turn: 1,
    checkpoint_id: checkpointId(1),
    tree: "0".repeat(64),
    memory: null,
    own: null,
    others: [],
  };
  assert.equal(mayBePurged({ ...resting, checkpoints: { rewinding } }), false);
});

test("[CPT-14] the trash is emptied by when something came into it", () => {
  const old = { state: "COMPLETED", last_active_at: ago(100) } as const;
  assert.equal(fate({ ...old, deleted_at: ago(6) }), "keep");
  assert.equal(fate({ ...old, deleted_at: ago(7) }), "purge");
  assert.equal(fate({ deleted_at: ago(7) }, off), "purge");
});
