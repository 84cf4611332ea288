import assert from "node:assert/strict";
import { test } from "node:test";
import { prompt, Story } from "../session/testing.ts";
import { conversationIn, Desk } from "./fixtures/desk.ts";
import { babble, think, turn, useTool } from "./fixtures/tell.ts";

test("a session that wakes goes on in its files and reads nothing of its journal again", async () => {
  await using desk = await Desk.make();
  const story = turn(turn(new Story().up(), 1), 2).die();
  await desk.write(story);
  await desk.restart();
  await desk.write(story.queue(3).begin().ready().deliver(3).endTurn(3));
  assert.equal(desk.reads, 0);
  assert.deepEqual(await desk.everything(), await anew(story));
});

test("a server that comes after one that was killed brings the files up to date", async () => {
  await using desk = await Desk.make();
  const story = turn(new Story().up(), 1);
  await desk.write(story);
  // Committed, and killed before a file was written.
  turn(story, 2).queue(3).deliver(3).say("half a ");
  desk.journal.push(...story.events.slice(desk.journal.length));
  await desk.restart();
  await desk.write(story.say("sentence"));
  assert.deepEqual(await desk.everything(), await anew(story));
});

test("files that go further than their mark are cut there, so nothing stands in them twice", async () => {
  await using desk = await Desk.make();
  const story = turn(new Story().up(), 1);
  await desk.write(story);
  // In the middle of a turn the mark stays behind what is written.
  useTool(story.queue(2).deliver(2), { id: "x", title: "X" });
  await desk.write(story.say("partial"));
  await desk.restart();
  await desk.write(story.say(" answer").endTurn(2));
  assert.equal(desk.reads, 1);
  assert.deepEqual(await desk.everything(), await anew(story));
});

for (const seed of [1, 2, 3, 4, 5, 6])
  test(`restarts and kills at random moments of a random story leave no trace (seed ${seed})`, async () => {
    await using desk = await Desk.make();
    const random = randomFrom(seed);
    const story = new Story().up();
    for (let step = 0; step < 120; step += 1) {
      happen(story, random);
      if (random(3) === 0) desk.tell(story);
      if (random(6) === 0) await desk.recorder.drain();
      if (random(12) === 0) await desk.restart();
      if (random(12) === 0) await desk.crash();
    }
    await desk.write(story);
    assert.deepEqual(await desk.messages(), conversationIn(story.events));
    assert.deepEqual(await desk.everything(), await anew(story));
    assert.deepEqual(desk.warnings, []);
  });

/** What a recorder writes that sees the whole story at once. */
const anew = async (story: Story) => {
  await using desk = await Desk.make();
  await desk.write(story);
  return await desk.everything();
};

let prompts = 100;
const happen = (story: Story, random: (below: number) => number): void => {
  const { state } = story;
  if (state.execution === null) {
    if (state.lifecycle.name !== "STARTING") story.queue((prompts += 1));
    story.begin();
    if (random(3) > 0) story.ready();
    return;
  }
  if (state.execution.phase.kind !== "ready") return void story.ready();
  if (state.lifecycle.name !== "RUNNING") {
    const choice = random(8);
    if (choice === 0) story.say("late words");
    else if (choice < 3) babble(story, "???");
    else if (choice < 5)
      useTool(story, { id: `late ${random(2)}`, output: `${random(9)}` });
    else story.queue((prompts += 1));
    return;
  }
  const { prompt_id, delivery } = state.lifecycle.turn;
  const number = Number(prompt_id.slice(4));
  assert.equal(prompt(number), prompt_id);
  const choice = random(12);
  if (choice === 0) story.die(random(2) === 0 ? [prompt_id] : []);
  else if (delivery.kind === "pending") story.deliver(number);
  else if (choice < 4) story.say(`word ${choice} `);
  else if (choice === 4) think(story, "hm ");
  else if (choice === 5) babble(story, "???");
  else if (choice === 6) story.queue((prompts += 1));
  else if (choice < 10)
    useTool(story, {
      id: `tool ${random(4)}`,
      ...(random(2) === 0 ? { title: `Tool ${random(100)}` } : {}),
      ...(random(2) === 0 ? { status: "completed" as const } : {}),
      output: "o".repeat(random(50)),
    });
  else story.endTurn(number);
};

const randomFrom = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};
