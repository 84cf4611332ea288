import assert from "node:assert/strict";
import { test } from "node:test";
import { attentionOf } from "./attention.ts";
import { continuationOf } from "./continuation.ts";
import { intend } from "../intend.ts";
import { Story, prompt } from "../testing.ts";

const goOn = (story: Story, n: number): Story => {
  const due = continuationOf(story.state);
  assert.ok(due !== null);
  return story
    .given({
      type: "prompt.resolve",
      prompt_id: due.prompt_id,
      action: "continue",
      by: { prompt_id: prompt(n), content: [{ type: "text", text: "go on" }] },
    })
    .begin()
    .ready({ opened: "resumed", verified: true })
    .deliver(n);
};

test("[REC-8] an interrupted turn is continued after a growing pause, at most five times in a row", () => {
  const story = new Story({ on_interrupt: "continue" })
    .up()
    .queue(1)
    .deliver(1)
    .die();
  const pauses: number[] = [];
  for (let n = 2; continuationOf(story.state) !== null; n++) {
    pauses.push(continuationOf(story.state)?.pause_ms ?? 0);
    goOn(story, n).die();
  }
  assert.deepEqual(pauses, [500, 1000, 2000, 4000, 8000]);
  assert.equal(story.last("session.notice").code, "continuation_limit");
  assert.deepEqual(intend(story.state), []);
  assert.equal(story.name, "WAITING_FOR_INPUT");
});

test("[REC-8] a turn that ends well begins the count again", () => {
  const story = new Story({ on_interrupt: "continue" })
    .up()
    .queue(1)
    .deliver(1)
    .die();
  goOn(story, 2).endTurn(2);
  assert.equal(story.state.prompts.continuations, 0);
  assert.equal(continuationOf(story.state), null);
});

test("[REC-36] [SES-27] a continuation that waits for a quota outlives a pause", () => {
  const resets_at = "2026-01-01T05:00:00.000Z";
  const story = new Story({ on_interrupt: "continue" }).up().queue(1);
  story.deliver(1).report({
    kind: "turn_ended",
    prompt_id: prompt(1),
    stop_reason: "error",
    usage: null,
    error: "429 quota exceeded",
    limit: { resets_at },
    range: story.words(5),
  });
  story.given({ type: "session.pause", reason: "paused" });
  story.die([], { kind: "stopped" });
  assert.equal(story.name, "PAUSED");
  assert.equal(continuationOf(story.state)?.not_before, resets_at);
  assert.deepEqual(intend(story.state), [], "not before its time");
  assert.equal(attentionOf(story.state).due_at, resets_at);

  const due = continuationOf(story.state);
  assert.ok(due !== null);
  story.given({
    type: "prompt.resolve",
    prompt_id: due.prompt_id,
    action: "continue",
    by: { prompt_id: prompt(2), content: [{ type: "text", text: "go on" }] },
  });
  assert.equal(story.name, "STARTING");
  assert.equal(continuationOf(story.state), null);
});

test("[REC-8] nothing is continued where the user decides, while it is paused, or when others came after it", () => {
  const waits = new Story().up().queue(1).deliver(1).die();
  assert.equal(continuationOf(waits.state), null);

  const paused = new Story({ on_interrupt: "continue" })
    .up()
    .queue(1)
    .deliver(1);
  paused.given({ type: "session.pause", reason: "paused" });
  paused.die([], { kind: "stopped" });
  assert.equal(continuationOf(paused.state), null);
  paused.given({ type: "session.resume", trigger: "request" }).begin();
  paused.ready({ opened: "resumed", verified: true });
  assert.equal(
    continuationOf(paused.state)?.prompt_id,
    prompt(1),
    "once it is back",
  );

  const later = new Story({ on_interrupt: "continue" })
    .up()
    .queue(1)
    .deliver(1)
    .queue(2)
    .die();
  later.begin().ready({ opened: "resumed", verified: true }).deliver(2);
  later.endTurn(2);
  assert.equal(continuationOf(later.state), null);
});
