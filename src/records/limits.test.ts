import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { test } from "node:test";
import { Story } from "../session/testing.ts";
import { conversationIn, Desk, rotatedNames } from "./fixtures/desk.ts";
import { turn, useTool } from "./fixtures/tell.ts";
import { DEFAULT_RECORD_LIMITS, type RecordLimits } from "./limits.ts";

const LIMIT = 4000;
const limits: RecordLimits = { conversationBytes: LIMIT, fileBytes: LIMIT };
/** What stands round the messages. */
const FRAME = 300;

test("[SES-55] conversation.json holds the newest messages up to its limit, and says how many it leaves out", async () => {
  await using desk = await Desk.make(limits);
  const story = new Story().up();
  await desk.write(turn(story, 1));
  assert.equal((await desk.json("conversation.json"))["omitted"], undefined);
  for (let n = 2; n <= 40; n += 1) {
    await desk.write(turn(story, n));
    await isNewestPart(desk, story);
  }
  const { size } = await stat(desk.path("conversation.json"));
  assert.ok(size > LIMIT / 2, `${size}: no more is left out than must be`);
  assert.equal(
    (await desk.json("summary.json"))["message_count"],
    conversationIn(story.events).length,
  );
});

test("[SES-55] a tool call is changed where it stands after older messages were left out, and nothing where it stood", async () => {
  await using desk = await Desk.make(limits);
  const story = new Story().up().queue(1).deliver(1);
  for (let n = 1; n <= 60; n += 1) {
    useTool(story, { id: `t${n}`, title: `Run ${n}`, status: "completed" });
    await desk.write(story);
  }
  for (const id of ["t60", "t55", "t50", "t1", "t59"]) {
    useTool(story, { id, output: `once more ${id}` });
    await desk.write(story.say(`behind ${id}`));
    await isNewestPart(desk, story);
  }
  assert.match(await desk.read("conversation.json"), /once more t59/);
});

test("[SES-55] a tool call that does not end holds up what is written behind it, and the limit holds", async () => {
  await using desk = await Desk.make(limits);
  const story = turn(new Story().up(), 1).queue(2).deliver(2);
  useTool(story, { id: "open", title: "Wait", status: "in_progress" });
  for (let n = 1; n <= 80; n += 1) {
    useTool(story, { id: `t${n}`, title: `Run ${n}`, status: "completed" });
    await desk.write(story);
  }
  await isNewestPart(desk, story);
  useTool(story, { id: "open", status: "completed", output: "at last" });
  await desk.write(story.endTurn(2));
  await isNewestPart(desk, story);
});

test("[SES-56] session.log and history.jsonl are rotated: what is full becomes .1", async () => {
  await using desk = await Desk.make(limits);
  await using unlimited = await Desk.make();
  const story = new Story().up();
  for (let n = 1; n <= 40; n += 1) turn(story, n);
  await desk.write(story);
  await unlimited.write(story);
  for (const name of ["session.log", "history.jsonl"]) {
    const [older, newer] = [
      await desk.read(`${name}.1`),
      await desk.read(name),
    ];
    assert.ok(older.length <= LIMIT && newer.length <= LIMIT, name);
    const all = without(unlimited, await unlimited.read(name));
    assert.ok(all.endsWith(without(desk, older + newer)), name);
    assert.ok(all.length > 2 * LIMIT);
  }
  assert.match(await desk.read("session.log.1"), /^\[[^\]]+\] [A-Z ()]+:\n/i);
  assert.deepEqual(
    (await readdir(desk.directory)).filter((name) => name.endsWith(".2")),
    [],
  );
});

for (const seed of [1, 2, 3])
  test(`[SES-55] [SES-56] kills and restarts leave no trace in full files (seed ${seed})`, async () => {
    await using desk = await Desk.make(limits);
    const story = new Story().up();
    for (let n = 1; n <= 40; n += 1) {
      story.queue(n, `prompt ${n}`).deliver(n).say("words ".repeat(n));
      useTool(story, { id: `t${n}`, title: "Run", status: "completed" });
      await desk.write(story);
      if ((n * seed) % 5 === 0) await desk.crash();
      await desk.write(story.endTurn(n));
      if ((n * seed) % 3 === 0) await desk.restart();
      if ((n * seed) % 7 === 0) await desk.crash();
    }
    await desk.write(story);
    await isNewestPart(desk, story);
    await using anew = await Desk.make(limits);
    await anew.write(story);
    for (const name of ["session.log", "history.jsonl", ...rotatedNames])
      assert.equal(
        without(desk, await desk.read(name)),
        without(anew, await anew.read(name)),
        name,
      );
    assert.deepEqual(desk.warnings, []);
  });

test("[SES-55] [SES-56] each of the files holds 16 MiB", () => {
  const bytes = 16 * 1024 * 1024;
  assert.deepEqual(DEFAULT_RECORD_LIMITS, {
    conversationBytes: bytes,
    fileBytes: bytes,
  });
});

const isNewestPart = async (desk: Desk, story: Story): Promise<void> => {
  const { size } = await stat(desk.path("conversation.json"));
  assert.ok(size <= LIMIT + FRAME, `${size} bytes`);
  const { omitted = 0 } = await desk.json("conversation.json");
  const messages = await desk.messages();
  assert.ok(messages.length > 0);
  const all = conversationIn(story.events);
  assert.equal(omitted, all.length - messages.length);
  assert.deepEqual(messages, all.slice(-messages.length));
};

const without = (desk: Desk, text: string): string =>
  text.replaceAll(desk.root, "");
