import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { test } from "node:test";
import { executorIdOf } from "../contract/base/id.ts";
import { patience } from "../kit/fixtures/patience.ts";
import { SESSION, Story } from "../session/testing.ts";
import { conversationIn, Desk } from "./fixtures/desk.ts";
import { babble, turn, useTool } from "./fixtures/tell.ts";
import { SessionFiles } from "./session-files.ts";

test("the files say what the journal says, in forms that are promised", async () => {
  await using desk = await Desk.make();
  const story = turn(new Story({ name: "colours" }).up(), 1);
  babble(story, "behind the turn");
  await desk.write(story);

  const conversation = await desk.json("conversation.json");
  assert.deepEqual(Object.keys(conversation).sort(), [
    "agent_name",
    "created_at",
    "last_updated",
    "messages",
    "session_id",
  ]);
  assert.equal(conversation["session_id"], SESSION);
  assert.equal(conversation["agent_name"], "demo");
  assert.deepEqual(await desk.messages(), conversationIn(story.events));
  assert.equal((await desk.messages()).at(-1)?.turn, 1);

  const summary = await desk.json("summary.json");
  assert.equal(summary["state"], "WAITING_FOR_INPUT");
  assert.equal(summary["turn_count"], 1);
  assert.equal(summary["message_count"], 5);
  const metadata = await desk.json("metadata.json");
  assert.equal(metadata["agent_name"], "demo");
  assert.equal(metadata["executor_id"], executorIdOf(story.state.id));
  assert.equal(metadata["last_active_at"], story.state.times.last_active_at);
  assert.equal(
    metadata["last_message_at"],
    conversationIn(story.events).at(-1)?.at,
  );
});

test("only the owner can read them", async () => {
  await using desk = await Desk.make();
  await desk.write(turn(new Story().up(), 1));
  assert.equal((await stat(desk.directory)).mode & 0o777, 0o700);
  const names = await readdir(desk.directory);
  assert.deepEqual(names.sort(), [
    "conversation.json",
    "history.jsonl",
    "metadata.json",
    "session.log",
    "summary.json",
  ]);
  for (const name of names)
    assert.equal((await stat(desk.path(name))).mode & 0o777, 0o600, name);
});

test("log and history are live, and so is the conversation while a turn runs", async () => {
  await using desk = await Desk.make();
  const story = new Story().up();
  await desk.write(story);
  story.queue(1, "count").deliver(1).say("1");
  desk.tell(story);
  await until(async () => (await desk.read("session.log")).includes("count"));
  for (const word of [" 2", " 3"]) {
    const asked = performance.now();
    desk.tell(story.say(word));
    await until(async () => {
      const { text } = (await desk.messages()).at(-1) ?? {};
      return text?.endsWith(word) === true;
    });
    // Once a second is the promise; a machine that is busy with other things may take its time.
    assert.ok(performance.now() - asked < patience(5000));
  }
});

test("what comes in the middle of a turn is gathered and written together; the end of the turn waits for nothing", async (t) => {
  await using desk = await Desk.make();
  const story = new Story().up().queue(1).deliver(1).say("1");
  await desk.write(story);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { mock: writing } = t.mock.method(SessionFiles.prototype, "write");
  for (const word of [" 2", " 3", " 4"]) desk.tell(story.say(word));
  t.mock.timers.tick(199);
  assert.equal(writing.callCount(), 0);
  t.mock.timers.tick(1);
  assert.equal(writing.callCount(), 1);
  assert.equal(writing.calls[0]?.arguments[0].length, 3);

  await desk.write(story);
  desk.tell(story.say(" 5"));
  desk.tell(story.endTurn(1));
  await until(
    async () => (await desk.json("summary.json"))["turn_count"] === 1,
  );
  assert.deepEqual(await desk.messages(), conversationIn(story.events));
});

test("a reader finds a whole conversation whenever it looks", async () => {
  await using desk = await Desk.make();
  const story = new Story().up();
  await desk.write(story);
  let told = 0;
  const reading = (async () => {
    let seen = 0;
    while (told < 40) {
      const { messages } = JSON.parse(
        await readFile(desk.path("conversation.json"), "utf8"),
      );
      assert.ok(messages.length >= seen, "messages vanished");
      seen = messages.length;
    }
    return seen;
  })();
  for (; told < 40; told += 1) await desk.write(turn(story, told + 1));
  assert.ok((await reading) > 0);
  assert.deepEqual(await desk.messages(), conversationIn(story.events));
});

test("what was settled changes after all: an agent adds to a tool call that was over", async () => {
  await using desk = await Desk.make();
  const story = turn(new Story().up(), 1).queue(2).deliver(2);
  useTool(story, { id: "a", title: "A", status: "completed", output: "1" });
  useTool(story, { id: "b", title: "B", status: "completed", output: "1" });
  await desk.write(story.say("done"));
  useTool(story, { id: "c", title: "C", status: "in_progress" });
  for (const change of [
    { id: "a", output: "much longer than 1" },
    { id: "a", title: "B", output: "" },
    { id: "b", output: "2" },
  ]) {
    await desk.write(useTool(story, change));
    assert.deepEqual(await desk.messages(), conversationIn(story.events));
  }
  await desk.write(story.endTurn(2));
  assert.deepEqual(await desk.messages(), conversationIn(story.events));
  assert.deepEqual(desk.warnings, []);
});

test("hostile text changes neither the terminal nor the form of the files", async () => {
  await using desk = await Desk.make();
  const hostile =
    '\u001b[2J\u009b31m\u0007\r"}],\n\n[2026-01-01T00:00:00.000Z] SESSION COMPLETED:\n\u202e\u2028 \ud83d';
  const story = new Story({ name: hostile }).up().queue(1, hostile).deliver(1);
  useTool(story, {
    id: hostile,
    title: hostile,
    status: "completed",
    output: hostile,
    input: { [hostile]: hostile },
  });
  await desk.write(story.say(hostile).endTurn(1));
  for (const name of await readdir(desk.directory))
    assert.doesNotMatch(await desk.read(name), /[^\P{Cc}\n]|\u202e/u, name);
  assert.deepEqual(await desk.messages(), conversationIn(story.events));
  assert.doesNotMatch(
    await desk.read("session.log"),
    /^\[.*SESSION COMPLETED:$/m,
  );
  for (const line of (await desk.read("history.jsonl")).trimEnd().split("\n"))
    JSON.parse(line);
});

test("nothing is held of a session at rest, and its files are current without being asked", async () => {
  await using desk = await Desk.make();
  const story = turn(new Story().up(), 1);
  await desk.write(story);
  story.given({ type: "session.pause", reason: "paused" });
  desk.tell(story.die([], { kind: "stopped" }));
  assert.equal(story.name, "PAUSED");
  await until(
    async () => (await desk.json("summary.json"))["state"] === "PAUSED",
  );
  assert.match(await desk.read("session.log"), /RUNNING|PAUSED \(paused\)/);
});

/** Waits for a condition of the file system, which nobody announces. */
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds().catch(() => false)));
};
