import assert from "node:assert/strict";
import { test } from "node:test";
import { attentionOf } from "./attention.ts";
import { continuationOf } from "./continuation.ts";
import { intend } from "../intend.ts";
import { checkInvariants } from "../invariants.ts";
import { Story, prompt } from "../testing.ts";
import { viewOf } from "../view/view.ts";
import type { Command } from "./command.ts";

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

  const later = new Story().up().queue(1).deliver(1).ask(2).die();
  later.begin().ready({ opened: "resumed", verified: true }).deliver(2);
  later.endTurn(2).given(change("continue"));
  assert.equal(continuationOf(later.state), null);
});

test("[REC-104] a turn that goes on by itself goes before prompts that wait, whenever they were sent", () => {
  const story = cut().ask(3);
  assert.equal(story.name, "WAITING_FOR_INPUT", "no agent is asked for yet");
  assert.deepEqual(waiting(story), [prompt(2), prompt(3)]);
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["continue"],
  );
  story.given(goesOn(4));
  assert.deepEqual(waiting(story), [prompt(4), prompt(2), prompt(3)]);
  story.begin().ready({ opened: "resumed", verified: true });
  assert.equal(story.last("session.turn.started").prompt_id, prompt(4));
  story.deliver(4).endTurn(4);
  assert.equal(story.last("session.turn.started").prompt_id, prompt(2));
  checkInvariants(story.events);
});

test("[REC-104] it does so once the agent is back, though prompts wait meanwhile", () => {
  const story = cut().given({ type: "session.resume", trigger: "request" });
  assert.deepEqual(viewOf(story.ask(3).state).unresolved_prompts[0]?.goes_on, {
    at: null,
  });
  story.begin().ready({ opened: "resumed", verified: true });
  assert.equal(story.name, "WAITING_FOR_INPUT");
  story.given(goesOn(4));
  assert.equal(story.last("session.turn.started").prompt_id, prompt(4));
});

test("[REC-104] prompts that waited for it begin where the session does not go on with it any more", () => {
  const set = cut().given(change("wait"));
  assert.equal(set.name, "STARTING");
  assert.deepEqual(waiting(set), [prompt(2)]);

  const dropped = cut().given({
    type: "prompt.resolve",
    prompt_id: prompt(1),
    action: "drop",
    by: null,
  });
  assert.equal(dropped.name, "STARTING");
});

test("[REC-104] a full queue keeps no turn from going on", () => {
  const story = cut();
  for (let n = 3; n <= 101; n++) story.ask(n);
  story
    .when({
      type: "prompt.queue",
      prompt_id: prompt(102),
      content: [{ type: "text", text: "one too many" }],
    })
    .thenRefused("queue_full");
  assert.equal(waiting(story.given(goesOn(103)))[0], prompt(103));
});

test("[REC-105] a continuation whose time has come is refused where somebody paused the session or set it to wait meanwhile", () => {
  const commands: Command[] = [
    { type: "session.pause", reason: "paused" },
    change("wait"),
  ];
  for (const command of commands) {
    const story = cut().given(command);
    story.when(goesOn(4)).thenRefused("wrong_state");
    assert.equal(story.state.prompts.unresolved[0]?.id, prompt(1));
  }
});

test("[REC-105] a session that is being paused does not go on; resumed, it goes on after another pause", () => {
  const story = cut().given({ type: "session.resume", trigger: "request" });
  story.begin().ready({ opened: "resumed", verified: true });
  story.given({ type: "session.pause", reason: "paused" });
  assert.equal(story.state.execution?.phase.kind, "stopping");
  story.when(goesOn(4)).thenRefused("wrong_state");
  story.die([], { kind: "stopped" });
  assert.equal(story.name, "PAUSED");
  story.given({ type: "session.resume", trigger: "request" }).begin();
  story.ready({ opened: "resumed", verified: true });
  assert.deepEqual(
    intend(story.state).map(({ kind }) => kind),
    ["continue"],
  );
});

test("[REC-105] one that comes late, when another turn was cut off by a quota, leaves the quota as it is", () => {
  const story = new Story({ on_quota: "wait" }).up().queue(1).deliver(1).die();
  story.ask(2).begin().ready({ opened: "resumed", verified: true });
  story.deliver(2).given(change("continue"));
  story.when(goesOn(4)).thenRefused("wrong_state");
  story.useUp(2, "2026-01-01T05:00:00.000Z").ask(3);
  story.when(goesOn(4)).thenRefused("wrong_state");
  assert.deepEqual(waiting(story), [prompt(3)]);
});

test("[REC-105] what waits for a quota does not go on before its time", () => {
  const resets_at = "2026-01-01T05:00:00.000Z";
  const story = new Story({ on_quota: "continue" }).up().queue(1).deliver(1);
  story.useUp(1, resets_at).when(goesOn(4)).thenRefused("wrong_state");
  story.pass(5 * 3600).given(goesOn(4));
  assert.equal(story.last("session.turn.started").prompt_id, prompt(4));
});

/** The agent died in its first turn, while a prompt waited. */
const cut = (): Story =>
  new Story({ on_interrupt: "continue" }).up().queue(1).deliver(1).ask(2).die();

const change = (on_interrupt: "wait" | "continue"): Command => ({
  type: "session.change",
  changes: { on_interrupt },
});

/** The first turn goes on by itself. */
const goesOn = (n: number): Command => ({
  type: "prompt.resolve",
  prompt_id: prompt(1),
  action: "continue",
  by: { prompt_id: prompt(n), content: [{ type: "text", text: "go on" }] },
  unasked: true,
});

const waiting = ({ state }: Story) => state.prompts.queue.map(({ id }) => id);
