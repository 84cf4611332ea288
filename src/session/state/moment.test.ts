import assert from "node:assert/strict";
import { test } from "node:test";
import { checkpointId } from "../../contract/session/checkpoint.ts";
import type {
  Checkpoint,
  CheckpointKind,
} from "../../contract/session/checkpoint.ts";
import { foundBy, isRestorable, leftBy, newestOnLine } from "./moment.ts";
import type { Rewind } from "./state.ts";
import { at, capture, prompt, Story } from "../testing.ts";
import {
  allWindows,
  leftByRewind,
  overlapping,
  turnsSince,
  windowsSince,
} from "../view/window.ts";

/** `turn 2` at event 20, and so on; one that failed holds nothing. */
const checkpoint = (
  seq: number,
  kind: CheckpointKind,
  turn: number,
  outcome: "saved" | "failed" = "saved",
): Checkpoint => ({
  id: checkpointId(seq),
  kind,
  turn,
  ...capture(seq, { outcome }),
  shared: true,
  seq: seq - 1,
  token: null,
  cwd: "/work",
  at: at(seq),
});

/** From turn `at` to what event `seq` captured; what was there before is captured at event `undo`. */
const rewind = (at: number, to: number, seq: number, undo: number): Rewind => ({
  at,
  to,
  checkpoint_id: checkpointId(seq),
  undo_id: checkpointId(undo),
});
const id = (found: Checkpoint | null): string | null => found?.id ?? null;

test("[CPT-11] what a turn left is its newest checkpoint that holds something", () => {
  const all = [
    checkpoint(1, "baseline", 0),
    checkpoint(5, "turn", 1),
    checkpoint(7, "pause", 1),
    checkpoint(9, "safety", 2),
    checkpoint(11, "turn", 2, "failed"),
  ];
  assert.equal(id(leftBy(all, 0)), "chk_1");
  assert.equal(id(leftBy(all, 1)), "chk_5");
  assert.equal(id(leftBy(all, 2)), null);
});

test("[CPT-11] what a turn found is what was there last, without what was captured in the middle of it", () => {
  const second = checkpoint(11, "turn", 2);
  const all = [
    checkpoint(1, "baseline", 0),
    checkpoint(5, "turn", 1),
    checkpoint(7, "pause", 1),
    checkpoint(9, "safety", 2),
    second,
  ];
  assert.equal(id(foundBy(all, [], second)), "chk_7");
  const begun = [...all.slice(0, 3), checkpoint(8, "start", 2), second];
  assert.equal(id(foundBy(begun, [], second)), "chk_8");
});

test("[CPT-11] after a rewind a turn finds what was brought back", () => {
  const third = checkpoint(20, "turn", 3);
  const all = [
    checkpoint(1, "baseline", 0),
    checkpoint(5, "turn", 1),
    checkpoint(9, "turn", 2),
    checkpoint(12, "rewind", 2),
    third,
  ];
  assert.equal(id(foundBy(all, [rewind(2, 1, 5, 12)], third)), "chk_5");
  // A rewind that failed changed nothing.
  assert.equal(id(foundBy(all, [], third)), "chk_12");
});

const trees = (windows: readonly { from: Checkpoint; to: Checkpoint }[]) =>
  windows.map(({ from, to }) => `${from.id} ${to.id}`);

const shared = [
  checkpoint(1, "baseline", 0),
  checkpoint(3, "start", 1),
  checkpoint(5, "turn", 1),
  checkpoint(8, "start", 2),
  checkpoint(10, "turn", 2),
  checkpoint(13, "start", 3),
  checkpoint(15, "turn", 3),
];
/** A session with turns up to this one, and rewinds among them. */
const had = (
  last: number,
  ...rewinds: Rewind[]
): Parameters<typeof windowsSince>[1] => ({
  turns: { last, rewinds, withdrawn: [] },
  prompts: { queue: [] },
});

test("[CPT-11] [CPT-51] the newest turn is one that the session goes on from and that left something", () => {
  const all = [
    checkpoint(1, "baseline", 0),
    checkpoint(5, "turn", 1),
    checkpoint(9, "safety", 2),
    checkpoint(11, "turn", 2, "failed"),
  ];
  assert.equal(id(newestOnLine(all, had(2))), "chk_5");
  const back = had(3, rewind(3, 1, 5, 18));
  assert.equal(id(newestOnLine(shared, had(3))), "chk_15");
  assert.equal(id(newestOnLine(shared, back)), "chk_5");
});

const since = (
  target: number,
  state: Parameters<typeof windowsSince>[1],
  all: readonly Checkpoint[] = shared,
) => {
  const from = leftBy(all, target);
  assert.ok(from !== null);
  const own = windowsSince(all, state, from);
  return own.kind === "known" ? trees(own.windows) : own;
};

test("[CPT-8] in a shared directory a session's own are its turns, each from what it found to what it left", () => {
  const state = had(3);
  assert.deepEqual(since(1, state), ["chk_8 chk_10", "chk_13 chk_15"]);
  assert.deepEqual(since(3, state), []);
});

test("[CPT-8] turns that a rewind left behind are not undone again, and are not gone back to", () => {
  const all = [
    ...shared,
    checkpoint(18, "rewind", 3),
    checkpoint(22, "start", 4),
    checkpoint(24, "turn", 4),
  ];
  const state = had(4, rewind(3, 1, 5, 18));
  assert.deepEqual(since(0, state, all), ["chk_3 chk_5", "chk_22 chk_24"]);
  assert.deepEqual(since(2, state, all), { kind: "left_behind" });
});

test("[CPT-7] [CPT-8] a rewind in a shared directory is undone, done or broken off, with what came after it", () => {
  const before = checkpoint(18, "rewind", 3);
  assert.ok(before.tree !== null);
  const target = { ...before, tree: before.tree };
  const undoing = (
    state: Parameters<typeof windowsSince>[1],
    ...after: Checkpoint[]
  ) => {
    const own = windowsSince([...shared, before, ...after], state, target);
    return own.kind === "known" ? trees(own.windows) : own;
  };
  const done = had(3, rewind(3, 1, 5, 18));
  const brokenOff = had(3);
  assert.deepEqual(undoing(done, checkpoint(20, "pause", 1)), [
    "chk_18 chk_20",
  ]);
  assert.deepEqual(undoing(brokenOff, checkpoint(20, "pause", 3)), [
    "chk_18 chk_20",
  ]);
  const since = [checkpoint(20, "pause", 1), checkpoint(22, "start", 4)];
  const later = { ...done, turns: { ...done.turns, last: 4 } };
  assert.deepEqual(undoing(later, ...since, checkpoint(24, "turn", 4)), [
    "chk_18 chk_20",
    "chk_22 chk_24",
  ]);
  assert.deepEqual(
    undoing(later, ...since, checkpoint(24, "turn", 4, "failed")),
    { kind: "unknown", turn: 4 },
  );
  assert.deepEqual(undoing(done, checkpoint(20, "pause", 1, "failed")), {
    kind: "unknown_rewind",
  });
});

test("[CPT-51] of two rewinds in a row, each is known by what was captured before it", () => {
  const fourth = checkpoint(30, "turn", 4);
  const all = [
    ...shared,
    checkpoint(18, "rewind", 3),
    checkpoint(20, "pause", 2, "failed"),
    checkpoint(23, "rewind", 2),
    checkpoint(25, "pause", 1, "failed"),
    fourth,
  ];
  const rewinds = [rewind(3, 2, 10, 18), rewind(3, 1, 5, 23)];
  assert.equal(id(foundBy(all, rewinds, fourth)), "chk_5");
  const second = all.find(({ seq }) => seq === 22) ?? null;
  assert.equal(second && id(foundBy(all, rewinds, second)), "chk_10");
});

test("[CPT-8] [CPT-51] to undo a rewind, turns from before it need not be known", () => {
  const target = checkpoint(26, "rewind", 0);
  assert.ok(isRestorable(target));
  const all = [
    ...shared.slice(0, 4),
    checkpoint(10, "turn", 2, "failed"),
    ...shared.slice(5),
    checkpoint(18, "rewind", 3),
    checkpoint(20, "pause", 0),
    target,
    checkpoint(28, "pause", 3),
  ];
  const state = had(3, rewind(3, 0, 1, 18), rewind(3, 3, 15, 26));
  const own = windowsSince(all, state, target);
  assert.deepEqual(own.kind === "known" && trees(own.windows), [
    "chk_26 chk_28",
  ]);
});

test("[CPT-8] what was not captured cannot be told from what others did", () => {
  const all = [...shared.slice(0, 6), checkpoint(15, "turn", 3, "failed")];
  assert.deepEqual(since(1, had(3), all), {
    kind: "unknown",
    turn: 3,
  });
});

test("[CPT-8] a turn whose prompt was given back did nothing, so nothing of it has to be undone", () => {
  const all = [...shared, checkpoint(18, "start", 4)];
  const state = had(4);
  const unhad = { ...state, turns: { ...state.turns, withdrawn: [4] } };
  const own = ["chk_8 chk_10", "chk_13 chk_15"];
  assert.deepEqual(since(1, state, all), { kind: "unknown", turn: 4 });
  assert.deepEqual(since(1, unhad, all), own);
  const [waiting] = new Story()
    .up()
    .queue(4)
    .die([prompt(4)]).state.prompts.queue;
  assert.ok(waiting !== undefined);
  const queue = [{ ...waiting, turn: 4 }];
  assert.deepEqual(since(1, { ...state, prompts: { queue } }, all), own);
  const start = all.findLast(isRestorable);
  assert.ok(start !== undefined);
  assert.deepEqual(windowsSince(all, unhad, start), {
    kind: "known",
    windows: [],
  });
});

test("[CPT-8] back into the middle of a turn, the rest of it is undone too", () => {
  const safety = checkpoint(9, "safety", 2);
  const all = [...shared, safety].sort((a, b) => a.seq - b.seq);
  assert.ok(safety.tree !== null);
  const target = { ...safety, tree: safety.tree };
  const own = windowsSince(all, had(3), target);
  assert.ok(own.kind === "known");
  assert.deepEqual(trees(own.windows), ["chk_9 chk_10", "chk_13 chk_15"]);
});

test("[CPT-8] of others, what went on at the same time counts, rewinds too", () => {
  const others = allWindows([
    checkpoint(2, "baseline", 0),
    checkpoint(4, "start", 1),
    checkpoint(6, "turn", 1),
    checkpoint(9, "rewind", 1),
    checkpoint(11, "pause", 1),
    checkpoint(30, "start", 2),
    checkpoint(31, "turn", 2),
  ]);
  assert.deepEqual(trees(others), [
    "chk_4 chk_6",
    "chk_9 chk_11",
    "chk_30 chk_31",
  ]);
  const own = allWindows(shared).slice(1, 2);
  assert.deepEqual(trees(own), ["chk_8 chk_10"]);
  assert.deepEqual(trees(overlapping(own, others)), ["chk_9 chk_11"]);
});

test("[REC-40] what went on at the same time is told by the order of captures, not by clocks that were set", () => {
  const inOrder = (order: number, each: Checkpoint, time: number) => ({
    ...each,
    order,
    at: at(time),
  });
  // The turn is captured at 50 and, after the clock was set back by 45, at 10. The other one works in between, at 6 and 8.
  const own = allWindows([
    inOrder(1, checkpoint(4, "start", 1), 50),
    inOrder(4, checkpoint(6, "turn", 1), 10),
  ]);
  const others = allWindows([
    inOrder(2, checkpoint(12, "start", 1), 6),
    inOrder(3, checkpoint(14, "turn", 1), 8),
    inOrder(5, checkpoint(16, "start", 2), 12),
    inOrder(6, checkpoint(18, "turn", 2), 55),
  ]);
  assert.deepEqual(trees(overlapping(own, others)), ["chk_12 chk_14"]);
});

test("[CPT-52] what a rewind left is known only where it was captured right after it and no turn came since", () => {
  const before = checkpoint(18, "rewind", 3);
  assert.ok(isRestorable(before));
  const left = (...after: Checkpoint[]) =>
    id(leftByRewind([...shared, before, ...after], before));
  const pause = checkpoint(20, "pause", 1);
  assert.equal(left(pause), "chk_20");
  assert.equal(left(pause, checkpoint(22, "pause", 1)), "chk_20");
  assert.equal(left(), null);
  const failed = checkpoint(20, "pause", 1, "failed");
  assert.equal(left(failed, checkpoint(22, "pause", 1)), null);
  assert.equal(left(pause, checkpoint(22, "turn", 4, "failed")), null);
  assert.equal(left(pause, checkpoint(22, "rewind", 1, "failed")), null);
});

test("[CPT-54] where the result of a rewind was not captured, only what it went back to is known to be its doing", () => {
  const before = checkpoint(18, "rewind", 3);
  assert.ok(isRestorable(before));
  const all = [
    ...shared,
    before,
    checkpoint(20, "pause", 1, "failed"),
    checkpoint(22, "pause", 1),
    checkpoint(24, "start", 4),
    checkpoint(26, "turn", 4),
  ];
  const done = had(4, rewind(3, 1, 5, 18));
  assert.deepEqual(trees(turnsSince(all, done, before)), [
    "chk_18 chk_5",
    "chk_24 chk_26",
  ]);
  assert.deepEqual(trees(turnsSince(all, had(4), before)), ["chk_24 chk_26"]);
});
