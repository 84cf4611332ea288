import assert from "node:assert/strict";
import { test } from "node:test";
import { intend } from "../intend.ts";
import { prompt, Story } from "../testing.ts";

const asking = (n: number, not_with_epoch: number) => ({
  type: "prompt.queue" as const,
  prompt_id: prompt(n),
  content: [{ type: "text" as const, text: `prompt ${n}` }],
  not_with_epoch,
});

const kinds = (story: Story) => intend(story.state).map(({ kind }) => kind);

test("[SES-61] an agent with other credentials is stopped before the prompt, and another execution gets it", () => {
  const story = new Story().up().then(asking(1, 1));
  assert.equal(story.name, "STARTING");
  assert.deepEqual(kinds(story), ["stop"]);
  assert.equal(story.last("session.notice").code, "credentials_changed");
  story.die([], { kind: "stopped" });
  assert.equal(story.name, "STARTING");
  assert.ok(kinds(story).includes("begin"));
  story.up();
  assert.equal(story.name, "RUNNING");
  assert.equal(story.last("session.turn.started").epoch, 2);
  assert.equal(story.last("session.turn.started").prompt_id, prompt(1));
});

test("[SES-61] a turn in progress goes on to its end first, and prompts of others before it get their turns", () => {
  const story = new Story().up().queue(1).deliver(1).queue(2);
  story.then(asking(3, 1)).endTurn(1).deliver(2);
  assert.equal(story.name, "RUNNING");
  assert.equal(story.types().includes("session.execution.stopping"), false);
  story.endTurn(2);
  assert.equal(story.last("session.execution.stopping").epoch, 1);
  assert.equal(story.name, "STARTING");
});

test("[SES-61] an execution that began meanwhile gets the prompt", () => {
  const story = new Story().up().die();
  story.then({ type: "session.resume", trigger: "request" });
  story.up().then(asking(1, 1)).found();
  assert.equal(story.name, "RUNNING");
});
