import assert from "node:assert/strict";
import { test } from "node:test";
import { checkpointId } from "../../contract/session/checkpoint.ts";
import type { Changes } from "../../contract/session/changes.ts";
import { begun, NATIVE, rewind, turn } from "../fixtures/line-stories.ts";
import type { State } from "../state/state.ts";
import type { Story } from "../testing.ts";
import { listedViewOf } from "../view/listed-view.ts";
import { MAX_COUNTED, recountLines, countLines } from "./changed-lines.ts";

const withChanges = (story: Story, n: number, changes: Changes): Story =>
  story
    .queue(n)
    .deliver(n)
    .endTurn(n)
    .captured(n + 1, { changes });

const linesOf = ({ state }: Story) => listedViewOf(state).changed_lines;

test("[API-191] lines of turns are added up, and what was not counted adds nothing", () => {
  const story = begun();
  assert.equal(linesOf(story), null);
  turn(story, 1);
  assert.equal(linesOf(story), null);
  withChanges(story, 2, { files: 3, added: 54, removed: 19 });
  withChanges(story, 3, { files: 1, added: null, removed: null });
  withChanges(story, 4, { files: 0, added: 0, removed: 0 });
  withChanges(story, 5, { files: 1, added: 2, removed: 1 });
  assert.deepEqual(linesOf(story), { added: 56, removed: 20 });
});

test("[API-191] turns that a rewind leaves behind do not count, until it is undone", () => {
  const story = begun();
  for (const n of [1, 2, 3])
    withChanges(story, n, { files: 1, added: 10 ** n, removed: n });
  rewind(story, 1, true);
  assert.deepEqual(linesOf(story), { added: 10, removed: 1 });
  story.queue(4).begin().ready(NATIVE).deliver(4).endTurn(4);
  story.captured(52, { changes: { files: 1, added: 5, removed: 0 } });
  assert.deepEqual(linesOf(story), { added: 15, removed: 1 });
  rewind(story, 3, true);
  assert.deepEqual(linesOf(story), { added: 1110, removed: 6 });
});

test("[API-191] of a long session the oldest turns are held as a sum; a rewind among them leaves the number unknown", () => {
  const last = MAX_COUNTED + 10;
  const state = counted(begun().state, last);
  assert.equal(state.turns.changed.counted.length, MAX_COUNTED);
  assert.deepEqual(state.turns.changed.total, {
    added: last,
    removed: 2 * last,
  });
  const after = (to: number) => {
    const rewinds = [{ ...aRewind, at: last, to }];
    const turns = { ...state.turns, rewinds };
    return recountLines({ ...state, turns }).turns.changed.total;
  };
  assert.deepEqual(after(20), { added: 20, removed: 40 });
  assert.equal(after(5), null);
});

test("[API-191] a number that a rewind made unknown stays unknown, however many turns come behind it", () => {
  const last = MAX_COUNTED + 10;
  const before = counted(begun().state, last);
  const rewinds = [{ ...aRewind, at: last, to: 5 }];
  const after = recountLines({
    ...before,
    turns: { ...before.turns, rewinds },
  });
  assert.equal(after.turns.changed.total, null);
  const later = counted(after, 2 * last);
  assert.equal(later.turns.changed.total, null);
});

test("[API-191] turns that were left behind before they were held as a sum do not count", () => {
  const { state } = begun();
  const rewinds = [{ ...aRewind, at: 8, to: 2 }];
  const last = MAX_COUNTED + 5;
  const { changed } = counted(
    { ...state, turns: { ...state.turns, rewinds } },
    last,
  ).turns;
  assert.equal(changed.older?.up_to, 5);
  assert.deepEqual(changed.total, { added: last - 6, removed: 2 * (last - 6) });
});

/** Turns up to this one, each with a line added and two removed. */
const counted = (before: State, last: number): State => {
  const { newest } = before.checkpoints;
  assert.ok(newest !== null);
  let state = before;
  for (let turn = before.turns.last + 1; turn <= last; turn += 1)
    state = countLines(
      { ...state, turns: { ...state.turns, last: turn } },
      {
        ...newest,
        kind: "turn",
        turn,
        changes: { files: 1, added: 1, removed: 2 },
      },
    );
  return state;
};

const aRewind = { checkpoint_id: checkpointId(1), undo_id: null };
