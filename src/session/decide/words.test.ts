import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../contract/event/event.ts";
import type { Message } from "../../contract/session/message.ts";
import { MAX_TEXT } from "../../contract/base/text-limit.ts";
import type { Tool } from "../../contract/agent/tool.ts";
import { checkInvariants } from "../invariants.ts";
import { emptyConversation, project } from "../view/project.ts";
import { Story } from "../testing.ts";

const began = (): Story => new Story().up().queue(1).deliver(1);

const sayAs = (story: Story, role: "agent" | "thought", text: string): Story =>
  story.report({ kind: "text", role, text, range: story.words(5) });

const show = (story: Story, tool: Tool): Story =>
  story.report({ kind: "tool", tool, range: story.words(5) });

const messagesOf = (events: readonly Event[]): Message[] => {
  const conversation = emptyConversation();
  for (const event of events) project(conversation, event);
  return conversation.messages;
};

const textOf = (event: Event): string => {
  switch (event.type) {
    case "session.message.added":
      return event.data.message.tool?.output ?? event.data.message.text;
    case "session.message.updated":
      return event.data.append ?? "";
    case "session.tool.updated":
      return event.data.tool.output ?? event.data.tool.more_output ?? "";
    default:
      return "";
  }
};

for (const role of ["agent", "thought"] as const)
  test(`[SES-35] text by role ${role} that is too long for a message goes on in messages that name the one before`, () => {
    const story = began();
    // Pairs of surrogates, beginning at an odd place: a cut at the limit would go through one.
    const pieces = ["x", "🙂".repeat(MAX_TEXT), "end", "", "🙂".repeat(10)];
    for (const piece of pieces) sayAs(story, role, piece);
    const said = messagesOf(story.events).filter((each) => each.role === role);
    assert.equal(said.map(({ text }) => text).join(""), pieces.join(""));
    assert.deepEqual(
      said.map(({ continues }) => continues),
      [undefined, ...said.slice(0, -1).map(({ id }) => id)],
    );
    assert.ok(said.length > 2);
    for (const { text } of said) {
      assert.ok(text.length <= MAX_TEXT);
      assert.ok(text.isWellFormed());
    }
    assert.ok(story.events.every((each) => textOf(each).length <= MAX_TEXT));
    checkInvariants(story.events);
  });

test("[SES-35] the last words are those of the message and the one it goes on from", () => {
  const story = began();
  story.say("y".repeat(MAX_TEXT - 2)).say("123456");
  assert.equal(story.state.output.last_words, `${"y".repeat(154)}123456`);
});

test("[SES-35] after anything else was said, text begins a message that goes on from none", () => {
  const story = began().say("y".repeat(MAX_TEXT));
  show(story, { id: "t", title: "Tool", status: "completed" });
  story.say("new");
  assert.equal(messagesOf(story.events).at(-1)?.continues, undefined);
});

test("[SES-35] a tool's output lies in events of limited size; its message has the beginning and says what it leaves out", () => {
  const story = began();
  const output = "🙂".repeat(MAX_TEXT);
  const more = "and more".repeat(MAX_TEXT / 4);
  show(story, { id: "t", title: "Tool", status: "completed", output });
  show(story, { id: "t", more_output: more });
  const told = story.events.filter(
    ({ type, data }) =>
      type === "session.tool.updated" ||
      (type === "session.message.added" && data.message.role === "tool"),
  );
  assert.equal(told.map(textOf).join(""), output + more);
  assert.ok(told.every((each) => textOf(each).length <= MAX_TEXT));
  const message = messagesOf(story.events).at(-1);
  assert.equal(message?.tool?.output, output.slice(0, MAX_TEXT));
  const all = output.length + more.length;
  assert.equal(message.tool.output_omitted, all - MAX_TEXT);
  assert.equal(message.tool.status, "completed");
  checkInvariants(story.events);
});

test("[SES-35] a new output replaces what was there and what was left out", () => {
  const story = began();
  show(story, { id: "t", title: "Tool", output: "x".repeat(2 * MAX_TEXT) });
  show(story, { id: "t", output: "short" });
  const tool = messagesOf(story.events).at(-1)?.tool;
  assert.deepEqual(tool, { id: "t", title: "Tool", output: "short" });
});
