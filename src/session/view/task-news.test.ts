import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionId, TaskId } from "../../contract/base/id.ts";
import { askItem, at, prompt, Story } from "../testing.ts";
import { derivedBy } from "./derive.ts";

const task_id = TaskId.parse(`tsk_${"0".repeat(26)}`);

/** Takes a step of a story and says whether the task has to be told of it. */
const isNews = (story: Story, step: (story: Story) => unknown): boolean => {
  const [before, length] = [story.state, story.events.length];
  step(story);
  const events = story.events.slice(length);
  assert.ok(events.length > 0, "nothing happened");
  return derivedBy(events, before, story.state, at(59)).news;
};

const withTask = (given: ConstructorParameters<typeof Story>[0] = {}) =>
  new Story({ task_id, ...given });
const atWork = (): Story => withTask().up().queue(1).deliver(1);

test("[STO-70] a task is told of a session that is new, and nobody of one without a task", () => {
  const story = withTask();
  const { events, state } = story;
  assert.equal(derivedBy(events, null, state, at(0)).news, true);
  const alone = new Story();
  assert.equal(derivedBy(alone.events, null, alone.state, at(0)).news, false);
  alone.up();
  const ask = (story: Story) => story.queue(1);
  assert.equal(isNews(alone, ask), false);
});

test("[STO-70] a task is told of states, prompts and turns", () => {
  const steps: [string, (story: Story) => unknown][] = [
    ["the agent is ready", (each) => each.ready()],
    ["a prompt is queued and its turn begins", (each) => each.queue(1)],
    ["the agent has it", (each) => each.deliver(1)],
    ["another one is queued", (each) => each.ask(2)],
    [
      "and withdrawn",
      (each) => each.given({ type: "prompt.cancel", prompt_id: prompt(2) }),
    ],
    ["the turn ends", (each) => each.endTurn(1)],
    ["a second turn", (each) => each.queue(3).deliver(3)],
    ["is cut off", (each) => each.die()],
  ];
  const story = withTask().begin();
  for (const [name, step] of steps)
    assert.equal(isNews(story, step), true, name);
});

test("[STO-70] a task is not told what an agent says in the middle of a turn", () => {
  const story = atWork();
  const say = (each: Story) => each.say("some words");
  for (let n = 0; n < 3; n++) assert.equal(isNews(story, say), false);
});

test("[STO-70] a task is told when the agent begins to wait for an answer, and when it has it", () => {
  const story = atWork();
  const [one, two] = [permissionId(1, 10), permissionId(1, 20)];
  const ask = (id: typeof one) => (each: Story) =>
    each.report(askItem(id, each.words(5)));
  assert.equal(isNews(story, ask(one)), true);
  assert.equal(isNews(story, ask(two)), false);
  const answer = (id: typeof one) => (each: Story) =>
    each.given({
      type: "permission.answer",
      permission_id: id,
      option_id: "yes",
    });
  assert.equal(isNews(story, answer(one)), false);
  assert.equal(isNews(story, answer(two)), true);
});

test("[STO-70] a task is told when nothing has to be captured any more", () => {
  const story = withTask({ checkpoints: true }).up().captured(1);
  story.queue(1).deliver(1).endTurn(1);
  assert.notEqual(story.state.checkpoints.due, null);
  const capture = (each: Story) => each.captured(2);
  assert.equal(isNews(story, capture), true);
});
