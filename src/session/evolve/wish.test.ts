import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionId } from "../../contract/base/id.ts";
import { LOCAL } from "../../contract/base/place.ts";
import { checkpointId } from "../../contract/session/checkpoint.ts";
import { decideImport } from "../decide/import.ts";
import type { Command } from "../state/command.ts";
import { abilities, askItem, at, prompt, Story, tree } from "../testing.ts";
import { viewOf } from "../view/view.ts";

const wishOf = (story: Story): string => viewOf(story.state).last_wish_at;

/** Issues a command and says whether it counted as a wish. */
const isWished = (story: Story, command: Command): boolean => {
  const before = story.events.length;
  story.given(command);
  const newest = story.events.at(-1);
  assert.ok(newest !== undefined && story.events.length > before, command.type);
  return wishOf(story) === newest.at;
};

const cut = (): Story =>
  new Story({ on_interrupt: "continue" }).up().queue(1).deliver(1).die();
const resolve = (
  action: "continue" | "drop",
  more: { unasked?: true } = {},
): Command => ({
  type: "prompt.resolve",
  prompt_id: prompt(1),
  action,
  by:
    action === "drop"
      ? null
      : { prompt_id: prompt(2), content: [{ type: "text", text: "go on" }] },
  ...more,
});
const answered = (): Story => new Story().up().queue(1).deliver(1).endTurn(1);
const paused = (): Story =>
  answered()
    .given({ type: "session.pause", reason: "paused" })
    .die([], { kind: "stopped" });

test("[SES-60] what a person or a program asks for is the session's last wish", () => {
  assert.equal(wishOf(new Story()), at(0));
  const story = answered();
  const content = [{ type: "text" as const, text: "more" }];
  const queue: Command = {
    type: "prompt.queue",
    prompt_id: prompt(2),
    content,
  };
  assert.ok(isWished(story, queue));
  story.deliver(2);
  const permission_id = permissionId(1, 10);
  story.report(askItem(permission_id, story.words(5)));
  const answer: Command = {
    type: "permission.answer",
    permission_id,
    option_id: "yes",
  };
  assert.ok(isWished(story, answer));
  assert.ok(isWished(story, { type: "turn.cancel" }));
  assert.ok(isWished(paused(), { type: "session.resume", trigger: "request" }));
  assert.ok(isWished(cut(), resolve("continue")));
  assert.ok(isWished(cut(), resolve("drop")));
  const handoff: Command = {
    type: "session.handoff",
    definition: { agent: "other", home: "user", env_names: [] },
    abilities: abilities(),
  };
  assert.ok(isWished(paused(), handoff));
  const kept = new Story({ checkpoints: true }).up().captured(1);
  const rewind: Command = {
    type: "session.rewind",
    seen: {
      last_turn: 0,
      checkpoint_id: kept.state.checkpoints.newest?.id ?? checkpointId(1),
    },
    turn: 0,
    checkpoint_id: kept.state.checkpoints.newest?.id ?? checkpointId(1),
    tree: tree(1),
    memory: null,
    own: null,
    others: [],
  };
  assert.ok(isWished(kept, rewind));
  const trashed = paused().given({ type: "session.delete" });
  assert.ok(isWished(trashed, { type: "session.undelete" }));
  const { events } = paused();
  const { after } = decideImport(
    { events, task_id: null, place: LOCAL, cwd: "/there" },
    at(50),
  );
  assert.equal(after.times.last_wish_at, at(50));
});

test("[SES-60] what Reprise does by itself is no wish", () => {
  const story = answered();
  const { last_wish_at } = story.state.times;
  assert.ok(!isWished(story, { type: "session.rest" }));
  story.die([], { kind: "stopped" });
  assert.equal(story.name, "PAUSED");
  assert.equal(wishOf(story), last_wish_at);
  assert.notEqual(story.state.times.last_active_at, last_wish_at);
  assert.ok(
    !isWished(story, {
      type: "session.resume",
      trigger: "startup",
      report: null,
    }),
  );
  story.begin().ready({ opened: "resumed", verified: true });
  assert.equal(wishOf(story), last_wish_at);

  assert.ok(!isWished(cut(), resolve("continue", { unasked: true })));

  const asked = new Story({
    definition: {
      agent: "demo",
      home: "user",
      env_names: [],
      permissions: { default: "allow-all", rules: [] },
    },
  })
    .up()
    .queue(1)
    .deliver(1);
  const before = wishOf(asked);
  asked.report(askItem(permissionId(1, 10), asked.words(5)));
  assert.equal(asked.last("session.permission.answered").by, "policy");
  assert.equal(wishOf(asked), before);
});
