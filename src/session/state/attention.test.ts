import assert from "node:assert/strict";
import { test } from "node:test";
import { attentionChange, attentionOf } from "./attention.ts";
import { prompt, Story } from "../testing.ts";

const LIVE = { live: true, due_at: null };
const RESTS = { live: false, due_at: null };

test("[REC-55] a session is live while it has an agent, or something is to be done for it at once", () => {
  const story = new Story({ on_interrupt: "continue" });
  assert.deepEqual(attentionOf(story.state), LIVE, "created");
  story.up().queue(1).deliver(1);
  assert.deepEqual(attentionOf(story.state), LIVE, "running");
  story.die();
  assert.equal(story.state.execution, null);
  assert.deepEqual(attentionOf(story.state), LIVE, "to be continued");
  story.given({
    type: "prompt.resolve",
    prompt_id: prompt(1),
    action: "drop",
    by: null,
  });
  assert.deepEqual(attentionOf(story.state), RESTS, "decided");
  story.given({ type: "session.resume", trigger: "request" });
  assert.deepEqual(attentionOf(story.state), LIVE, "starting");
});

test("[REC-55] a workspace that is to be captured keeps a session live, once it had an agent", () => {
  const failed = new Story({ checkpoints: true }).given({
    type: "execution.fail",
    epoch: null,
    code: "agentctl_unavailable",
    message: "away",
  });
  assert.notEqual(failed.state.checkpoints.due, null);
  assert.deepEqual(attentionOf(failed.state), RESTS);

  const story = new Story({ checkpoints: true }).up().die();
  assert.equal(story.state.execution, null);
  assert.notEqual(story.state.checkpoints.due, null);
  assert.deepEqual(attentionOf(story.state), LIVE);
  story.captured(1);
  assert.deepEqual(attentionOf(story.state), RESTS);
});

test("[REC-56] a session that waits for a quota is due then, and needs nobody before", () => {
  const story = new Story({ on_interrupt: "continue" }).up().queue(1);
  story.deliver(1).report({
    kind: "turn_ended",
    prompt_id: prompt(1),
    stop_reason: "error",
    usage: null,
    error: "429 quota exceeded",
    limit: { resets_at: "2026-01-01T05:00:00Z" },
    range: story.words(5),
  });
  const due_at = "2026-01-01T05:00:00.000Z";
  assert.deepEqual(attentionOf(story.state), { live: true, due_at });
  const up = story.state;
  story.given({ type: "session.pause", reason: "paused" });
  assert.equal(attentionChange(up, story.state), null);
  story.die([], { kind: "stopped" });
  const change = attentionChange(up, story.state);
  assert.deepEqual(change, { live: false, due_at });
  assert.deepEqual(attentionChange(null, story.state), change);
});
