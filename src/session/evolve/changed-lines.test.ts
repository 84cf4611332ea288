import assert from "node:assert/strict";
import { test } from "node:test";
import { checkpointId } from "../../contract/session/checkpoint.ts";
import type { Changes } from "../../contract/session/changes.ts";
import { begun, NATIVE, rewind, turn } from "../fixtures/line-stories.ts";
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
  const start = begun().state;
  const last = MAX_COUNTED + 10;
  let state = { ...start, turns: { ...start.turns, last } };
  const { newest } = state.checkpoints;
  assert.ok(newest !== null);
  for (let n = 1; n <= last; n += 1)
    state = countLines(state, {
      ...newest,
      kind: "turn",
      turn: n,
      changes: { files: 1, added: 1, removed: 2 },
    });
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

const aRewind = { checkpoint_id: checkpointId(1), undo_id: null };
