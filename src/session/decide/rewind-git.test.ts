import assert from "node:assert/strict";
import { test } from "node:test";
import type { GitState } from "../../contract/session/checkpoint.ts";
import { Story, tree } from "../testing.ts";
import { seenOf } from "../state/rewind.ts";

test("[CPT-28] where git has lost the commit, the rewind says that git stayed", () => {
  const story = new Story({ checkpoints: true }).up().captured(1);
  for (const n of [1, 2])
    story
      .queue(n)
      .deliver(n)
      .endTurn(n)
      .captured(n + 1);
  const { state } = story;
  const { checkpoint } = story.last("session.checkpoint.saved");
  story.given({
    type: "session.rewind",
    seen: seenOf(state),
    turn: 1,
    checkpoint_id: checkpoint.id,
    tree: tree(2),
    memory: null,
    own: null,
    others: [],
  });
  story.die().captured(50);
  story.given({ type: "rewind.done", changes: 1, commit_missing: true });
  assert.equal(story.last("session.notice").code, "git_left_as_is");
});

test("[CPT-26] [CPT-27] a commit alone, which leaves the files as they are, is a change too", () => {
  const at = (digit: string): GitState => {
    const head = digit.repeat(40);
    return { head, branch: null, own: { on: false, tip: head }, index: head };
  };
  const story = new Story({ checkpoints: true }).up();
  story.captured(1, { git: at("1") });
  story.ask(1).captured(1, { git: at("1") });
  assert.equal(story.state.checkpoints.newest?.kind, "baseline");
  story
    .deliver(1)
    .endTurn(1)
    .captured(2, { git: at("1") });
  story.ask(2).captured(2, { git: at("2") });
  assert.equal(story.state.checkpoints.newest?.kind, "start");
  assert.equal(story.name, "RUNNING");
});
