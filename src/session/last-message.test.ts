import assert from "node:assert/strict";
import { test } from "node:test";
import { executorChange } from "./view/executor-row.ts";
import { savedMemory } from "./state/saved-memory.ts";
import { prompt, Story, tree } from "./testing.ts";
import { viewOf } from "./view/view.ts";

const endTurn = (story: Story, n: number, last_message_id?: string): Story =>
  story.report({
    kind: "turn_ended",
    prompt_id: prompt(n),
    stop_reason: "end_turn",
    usage: null,
    error: null,
    range: story.words(5),
    ...(last_message_id !== undefined && { last_message_id }),
  });

const shown = ({ state }: Story): (string | null | undefined)[] => [
  state.agent.last_message_id,
  viewOf(state).metadata.last_message_id,
  executorChange(null, state, state.times.last_active_at)?.last_message_id,
];

test("[SES-46] the agent's last message is recorded with its turn and shown until another turn begins", () => {
  const story = new Story().up().queue(1).deliver(1);
  assert.deepEqual(shown(story), [null, null, null]);
  endTurn(story, 1, "m1");
  assert.deepEqual(shown(story), ["m1", "m1", "m1"]);
  story.queue(2).deliver(2);
  assert.deepEqual(shown(story), [null, null, null]);
  endTurn(story, 2);
  assert.deepEqual(shown(story), [null, null, null], "it did not tell");
});

test("[SES-46] a turn that was cut off leaves none: the agent may have written more than it told", () => {
  const story = new Story().up().queue(1).deliver(1);
  endTurn(story, 1, "m1").queue(2).deliver(2).die();
  assert.equal(story.state.agent.last_message_id, null);
});

test("[SES-46] a new session of the agent has none of the old one's messages", () => {
  const story = new Story().up().queue(1).deliver(1);
  endTurn(story, 1, "m1").die();
  assert.equal(story.state.agent.last_message_id, "m1");
  story.given({ type: "session.resume", trigger: "request" }).begin().ready();
  assert.equal(story.state.agent.last_message_id, null);
});

test("[SES-46] a checkpoint has it with the agent's files, and what is put back is taken up behind it", () => {
  const story = new Story({ checkpoints: true }).captured(1).up();
  story.queue(1).deliver(1);
  endTurn(story, 1, "m1").captured(2, { agent_state: tree(9) });
  assert.equal(story.state.checkpoints.newest?.last_message_id, "m1");
  assert.equal(savedMemory(story.state)?.last_message_id, "m1");
  story.queue(2).deliver(2);
  endTurn(story, 2, "m2").captured(3);
  assert.equal(story.state.checkpoints.newest?.last_message_id, undefined);
});
