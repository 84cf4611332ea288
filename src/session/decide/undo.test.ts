/** Rewinds in a row, and going back to what was there before one of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkpointId,
  type Checkpoint,
} from "../../contract/session/checkpoint.ts";
import { evolve } from "../evolve/evolve.ts";
import type { State } from "../state/state.ts";
import { Story, tree } from "../testing.ts";
import { viewOf } from "../view/view.ts";
import { seenOf } from "../state/rewind.ts";
import { turnsOnLine } from "../state/turns.ts";

const OWN = tree(99);

const fourTurns = (): Story => {
  const story = new Story({ checkpoints: true }).up().captured(1);
  for (const n of [1, 2, 3, 4])
    story
      .queue(n)
      .deliver(n)
      .endTurn(n)
      .captured(n + 1, { agent_state: OWN });
  return story;
};

/** To a turn, or to what a checkpoint holds. The agent had its own session then. */
const rewindTo = (story: Story, turn: number, id = checkpointId(turn)) => {
  story.given({
    type: "session.rewind",
    seen: seenOf(story.state),
    turn,
    checkpoint_id: id,
    tree: tree(turn),
    memory: {
      tree: tree(100 + turn),
      token: `session of turn ${turn}`,
      last_message_id: `message of turn ${turn}`,
      cwd: "/work",
      renamed: true,
    },
    own: null,
    others: [],
  });
  const agent_state = story.state.execution === null ? null : OWN;
  if (story.state.execution !== null) story.die();
  story.captured(50, { agent_state });
  const before = story.last("session.checkpoint.saved").checkpoint;
  story.given({ type: "rewind.done", changes: 1 }).captured(60);
  return before;
};

const memoryIn = (checkpoint: Checkpoint) => {
  const { agent_state, token, last_message_id } = checkpoint;
  return { agent_state, token, last_message_id };
};

test("[CPT-51] what is captured before a rewind belongs to the turn that the session stands at", () => {
  const story = fourTurns();
  assert.equal(rewindTo(story, 3).turn, 4);
  const before = rewindTo(story, 2);
  assert.equal(before.turn, 3);
  // The undo, and the undo of that.
  assert.equal(rewindTo(story, before.turn, before.id).turn, 2);
  assert.deepEqual(turnsOnLine(story.state), [1, 2, 3]);
  const { turn_count, turns_left_behind } = viewOf(story.state);
  assert.deepEqual([turn_count, turns_left_behind], [4, 1]);
  assert.equal(rewindTo(story, 2).turn, 3);
  // Turns that come then are numbered on.
  story.queue(5).begin().ready().deliver(5).endTurn(5).captured(6);
  assert.deepEqual(turnsOnLine(story.state), [1, 2, 5]);
  assert.equal(rewindTo(story, 2).turn, 5);
});

test("[CPT-51] what the agent was to be given back when it starts again is kept with what was there", () => {
  const story = fourTurns();
  const first = rewindTo(story, 3);
  assert.equal(first.agent_state, OWN, "the agent had files of its own");
  const third = {
    agent_state: tree(103),
    token: "session of turn 3",
    last_message_id: "message of turn 3",
  };
  assert.deepEqual(memoryIn(rewindTo(story, 2)), third);
  // Files that were put aside for another directory are not this one's.
  const moved = fourTurns();
  rewindTo(moved, 3);
  const last = moved.events.findLast(({ type }) => type === "session.rewound");
  assert.ok(last?.type === "session.rewound" && last.data.memory !== null);
  last.data.memory.cwd = "/elsewhere";
  const lost = { agent_state: null, token: null, last_message_id: undefined };
  assert.deepEqual(memoryIn(rewindTo(moved, 2)), lost);
});

test("[CPT-51] so does what is captured when the agent is stopped, when a rewind breaks off, and when the session ends", () => {
  const story = fourTurns();
  rewindTo(story, 3);
  story.given({ type: "session.resume", trigger: "request" }).begin().ready();
  story.given({ type: "session.pause", reason: "paused" }).die();
  assert.deepEqual(story.state.checkpoints.due, { kind: "pause", turn: 3 });
  story.captured(70);
  story.given({
    type: "session.rewind",
    seen: seenOf(story.state),
    turn: 1,
    checkpoint_id: checkpointId(1),
    tree: tree(1),
    memory: null,
    own: null,
    others: [],
  });
  story.captured(71);
  const undo_id = story.last("session.checkpoint.saved").checkpoint.id;
  const message = "The disk failed.";
  story.given({ type: "rewind.fail", code: "internal", message, undo_id });
  assert.deepEqual(story.state.checkpoints.due, { kind: "pause", turn: 3 });
  story.captured(72);
  story.given({
    type: "session.end",
    outcome: "completed",
    reason: "requested",
  });
  assert.deepEqual(story.state.checkpoints.due, { kind: "end", turn: 3 });
});

test("[CPT-51] journals of older releases, whose captures before a rewind name the newest turn, are read as well", () => {
  const story = fourTurns();
  rewindTo(story, 3);
  const { id } = rewindTo(story, 2);
  const older = story.events.map((event) =>
    event.type === "session.checkpoint.saved" && event.data.checkpoint.id === id
      ? {
          ...event,
          data: { checkpoint: { ...event.data.checkpoint, turn: 4 } },
        }
      : event,
  );
  const at = older.findIndex(
    (event) =>
      event.type === "session.checkpoint.saved" &&
      event.data.checkpoint.id === id,
  );
  const then = older.slice(0, at + 1).reduce<State | null>(evolve, null);
  assert.equal(then?.checkpoints.due, null, "nothing is left to be captured");
});
