import assert from "node:assert/strict";
import { test } from "node:test";
import { checkpointId } from "../../contract/session/checkpoint.ts";
import { intend } from "../intend.ts";
import {
  abilities,
  prompt,
  readyItem,
  SESSION,
  Story,
  tree,
} from "../testing.ts";
import { viewOf } from "../view/view.ts";
import { canUndoRewind, seenOf } from "../state/rewind.ts";
import { turnsKnown, turnsOnLine } from "../state/turns.ts";

const LOADED = { opened: "loaded", verified: true } as const;

const kinds = (story: Story): string[] =>
  intend(story.state).map(({ kind }) => kind);

const begun = (): Story => new Story({ checkpoints: true }).up().captured(1);

/** One turn, its checkpoint not yet taken. */
const turn = (story: Story, n: number): Story =>
  story.queue(n).deliver(n).endTurn(n);

const withMemory = { agent_state: tree(99) };

const rewindTo = (story: Story, n: number, memory = true): Story =>
  story.given({
    type: "session.rewind",
    seen: seenOf(story.state),
    turn: n,
    checkpoint_id: checkpointId(n),
    tree: tree(n),
    memory: memory
      ? { tree: tree(99), token: "old", cwd: "/work", renamed: true }
      : null,
    own: null,
    others: [],
  });

const rewound = (story: Story, n: number, memory = true): Story => {
  rewindTo(story, n, memory);
  if (story.state.execution !== null) story.die();
  return story.captured(50).given({ type: "rewind.done", changes: 1 });
};

test("[CHK-42] [CPT-7] what could not be given all its attributes is told when the rewind is done", () => {
  const story = new Story({ checkpoints: true }).captured(1).up();
  for (const n of [1, 2]) turn(story, n).captured(n + 1);
  rewindTo(story, 1);
  story.die().captured(9);
  story.given({ type: "rewind.done", changes: 2, incomplete: ["a", "b"] });
  const notice = story.last("session.notice");
  assert.equal(notice.code, "attributes_left_out");
  assert.match(notice.text, /of 2 paths: a, b\./);
});

test("[CPT-7] a rewind stops the agent, captures what is there, and gives it the memory it had", () => {
  const story = begun();
  for (const n of [1, 2]) turn(story, n).captured(n + 1);
  story.queue(3).deliver(3).say("all done").endTurn(3).captured(4);
  rewindTo(story, 1);
  assert.deepEqual(kinds(story), ["stop"]);
  story.die();
  assert.deepEqual(story.state.checkpoints.due, { kind: "rewind", turn: 3 });
  story.captured(9);
  assert.deepEqual(kinds(story), ["rewind"]);
  story.given({ type: "rewind.done", changes: 2 });
  assert.deepEqual(story.state.checkpoints.due, { kind: "pause", turn: 1 });
  assert.equal(
    story.state.output.last_words,
    null,
    "nobody said them on this line",
  );
  story.captured(10);
  assert.equal(story.state.checkpoints.newest?.tree, tree(10));
  assert.equal(story.state.agent.token, null);
  assert.equal(story.state.agent.memory?.token, "old");
  assert.equal(
    story.state.prompts.before_next.inject,
    false,
    "its own files tell it",
  );
  assert.deepEqual(turnsOnLine(story.state), [1]);
  story.queue(4).begin();
  assert.equal(story.last("session.execution.started").token, "old");
  assert.equal(story.state.execution?.rebuild?.memory?.renamed, true);
  story.report(readyItem({ from: 0, to: 4 }, LOADED)).found();
  assert.equal(story.state.agent.memory, null);
  assert.equal(story.state.agent.resume?.grade, "native");
  assert.deepEqual(turnsOnLine(story.state), [1, 4]);
});

test("[CPT-7] a prompt that was given back before the rewind begins a turn of its own after it", () => {
  const story = begun();
  for (const n of [1, 2]) turn(story, n).captured(n + 1);
  // The agent dies before it has taken the prompt.
  story.queue(3).die([prompt(3)]);
  assert.equal(story.state.prompts.queue[0]?.turn, 3);
  story.given({ type: "session.pause", reason: "paused" });
  rewound(story, 1).captured(60);
  assert.equal(turnsKnown(story.state.turns), 1);
  story
    .begin()
    .report(readyItem({ from: 0, to: 4 }))
    .found();
  assert.deepEqual(turnsOnLine(story.state), [1, 4]);
  story.deliver(3).endTurn(3);
  assert.equal(turnsKnown(story.state.turns), 2);
});

test("[CPT-7] a turn that was begun and whose prompt was withdrawn was never had: neither gone on from nor left behind", () => {
  const story = begun();
  turn(story, 1).captured(2);
  story.queue(2).die([prompt(2)]);
  story.given({ type: "prompt.cancel", prompt_id: prompt(2) });
  assert.deepEqual(turnsOnLine(story.state), [1]);
  story.given({ type: "session.pause", reason: "paused" });
  rewound(story, 1).captured(60);
  assert.deepEqual(turnsOnLine(story.state), [1]);
  assert.equal(turnsKnown(story.state.turns), 1);
  assert.equal(viewOf(story.state).turns_left_behind, 0);
  rewound(story, 0, false);
  const { turn_count, turns_left_behind } = viewOf(story.state);
  assert.deepEqual([turn_count, turns_left_behind], [1, 1]);
});

test("[CPT-7] an agent without files of its own is told the history up to there", () => {
  const story = begun();
  for (const n of [1, 2]) turn(story, n).captured(n + 1);
  rewound(story, 1, false).queue(3).begin();
  assert.equal(story.last("session.execution.started").token, null);
  story.report(readyItem({ from: 0, to: 4 }, { opened: "new" }));
  assert.equal(story.state.agent.resume?.grade, "injected");
  assert.equal(story.state.prompts.before_next.inject, true);
});

test("[CPT-7] a rewind can be undone, and a line of turns never holds one twice", () => {
  const line = (
    last: number,
    ...rewinds: { at: number; to: number }[]
  ): number[] =>
    turnsOnLine({
      turns: { last, rewinds, withdrawn: [] },
      prompts: { queue: [] },
    });
  assert.deepEqual(line(3), [1, 2, 3]);
  assert.deepEqual(line(5, { at: 5, to: 3 }), [1, 2, 3]);
  assert.deepEqual(line(7, { at: 5, to: 3 }), [1, 2, 3, 6, 7]);
  assert.deepEqual(
    line(5, { at: 5, to: 3 }, { at: 5, to: 5 }),
    [1, 2, 3, 4, 5],
  );
  assert.deepEqual(
    line(8, { at: 5, to: 3 }, { at: 7, to: 6 }),
    [1, 2, 3, 6, 8],
  );
  assert.deepEqual(
    line(8, { at: 5, to: 3 }, { at: 7, to: 4 }),
    [1, 2, 3, 4, 8],
  );
  assert.deepEqual(line(4, { at: 4, to: 0 }), []);
  const story = begun();
  for (const n of [1, 2, 3]) turn(story, n).captured(n + 1);
  assert.equal(viewOf(story.state).turns_left_behind, 0);
  assert.equal(turnsKnown(rewound(story, 1).state.turns), 1);
  const { turn_count, turns_left_behind } = viewOf(story.state);
  assert.deepEqual([turn_count, turns_left_behind], [3, 2]);
});

test("[SES-19] [SES-20] [CPT-7] what a rewind left behind is not lost again, nor told", () => {
  const story = begun();
  for (const n of [1, 2, 3]) turn(story, n).captured(n + 1);
  const unable = { abilities: abilities({ resume: false, load: false }) };
  const goneBack = (n: number) =>
    rewound(story, n, false)
      .captured(60)
      .given({ type: "session.resume", trigger: "request" })
      .begin()
      .ready(unable);
  goneBack(1);
  assert.match(
    story.state.agent.resume?.lost ?? "",
    /memory of 1 turn is lost/,
  );
  assert.equal(story.state.prompts.before_next.inject, true);
  goneBack(0);
  assert.equal(story.state.agent.resume?.grade, "injected");
  assert.equal(story.state.agent.resume?.lost, null);
  assert.equal(story.state.prompts.before_next.inject, false);
  story.given({
    type: "session.handoff",
    definition: { agent: "other", home: "user", env_names: [] },
    abilities: abilities(),
  });
  assert.equal(
    story.state.prompts.before_next.inject,
    false,
    "nor to another agent",
  );
});

test("[CPT-9] a rewind and a handoff wait for the turn; prompts wait for the rewind", () => {
  const running = begun().queue(1).deliver(1);
  running
    .when({
      type: "session.handoff",
      definition: { agent: "x", home: "user", env_names: [] },
      abilities: abilities(),
    })
    .thenRefused("wrong_state");
  const story = turn(begun(), 1).captured(2);
  rewindTo(story, 0).die().queue(2);
  assert.equal(story.name, "STARTING");
  assert.deepEqual(kinds(story), ["checkpoint"]);
  story.captured(3).given({
    type: "rewind.fail",
    code: "unknown_tree",
    message: "gone",
  });
  assert.deepEqual(kinds(story), ["begin"], "the session goes on as it was");
  assert.deepEqual(turnsOnLine(story.state), [1]);
});

test("[CPT-7] a rewind is given up with the session: no restart does it again", () => {
  const story = turn(begun(), 1).captured(2);
  rewindTo(story, 0).given({
    type: "session.end",
    outcome: "completed",
    reason: "requested",
  });
  assert.equal(story.last("session.rewind.failed").code, "session_ended");
  story.die().captured(3);
  assert.deepEqual(kinds(story), []);
});

test("[CPT-7] what could not be captured before a rewind is known", () => {
  const story = turn(begun(), 1).captured(2);
  rewindTo(story, 0).die().captured(3);
  assert.equal(canUndoRewind(story.state), true);
  story.given({ type: "rewind.fail", code: "internal", message: "no" });
  rewindTo(story, 0).captured(4, { outcome: "failed" });
  assert.deepEqual(kinds(story), ["rewind"]);
  assert.equal(canUndoRewind(story.state), false);
});

test("[CPT-10] a fork begins with the words, the workspace and the memory of a turn", () => {
  const parent = turn(begun(), 1).captured(2, withMemory);
  const { newest: checkpoint } = parent.state.checkpoints;
  assert.ok(checkpoint?.agent_state != null);
  const message = parent.last("session.message.added").message;
  const child = new Story({
    checkpoints: true,
    cwd: "/child",
    parent: { session_id: SESSION, turn: 1 },
    origin: {
      checkpoint,
      memory: {
        tree: checkpoint.agent_state,
        token: "parent's",
        cwd: "/work",
        renamed: true,
      },
      messages: [message],
    },
  });
  assert.equal(child.name, "STARTING");
  assert.equal(child.state.checkpoints.due, null);
  assert.equal(child.last("session.message.added").message.text, message.text);
  assert.equal(child.state.checkpoints.newest?.tree, tree(2));
  child.queue(7);
  child.begin(1, { workspace: "missing", transcript: "unknown" });
  const started = child.last("session.execution.started");
  assert.equal(started.path, "cold");
  assert.equal(started.rebuild?.restore, true);
  assert.equal(started.token, "parent's");
  child.report(readyItem({ from: 0, to: 4 }, LOADED)).found();
  assert.equal(child.state.agent.resume?.grade, "native");
  assert.equal(child.last("session.turn.started").turn, 2);
  assert.equal(child.last("session.turn.started").prompt_id, prompt(7));
});

test("[CPT-3] [CPT-10] what was captured in part is forked in part, and says so", () => {
  const overrides = { outcome: "partial" as const, unreadable: ["secret"] };
  const { newest: checkpoint } = turn(begun(), 1).captured(2, overrides).state
    .checkpoints;
  assert.ok(checkpoint !== null);
  const child = new Story({
    checkpoints: true,
    parent: { session_id: SESSION, turn: 1 },
    origin: { checkpoint, memory: null, messages: [] },
  });
  const told = child.last("session.checkpoint.partial").checkpoint;
  assert.deepEqual([told.outcome, told.unreadable], ["partial", ["secret"]]);
  assert.equal(child.state.checkpoints.newest?.id, told.id);
});
