import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyConversation, project } from "./project.ts";
import { Story } from "../testing.ts";

test("the conversation is the fold of the events: text grows, tools are merged, notices stand where they were said", () => {
  const story = new Story()
    .up()
    .queue(1, "hello")
    .deliver(1)
    .say("one ")
    .say("two");
  story.report({
    kind: "tool",
    tool: { id: "t", title: "Run", status: "pending" },
    range: story.words(3),
  });
  story.report({
    kind: "tool",
    tool: { id: "t", status: "completed", output: "ok" },
    range: story.words(3),
  });
  story.report({ kind: "garbage", text: "???", range: story.words(3) });
  story.say("three").endTurn(1);

  const conversation = emptyConversation();
  for (const event of story.events) project(conversation, event);
  assert.deepEqual(
    conversation.messages.map(({ role, text, turn, tool }) => [
      role,
      text,
      turn,
      tool?.status,
    ]),
    [
      ["user", "hello", 1, undefined],
      ["agent", "one two", 1, undefined],
      ["tool", "Run", 1, "completed"],
      ["notice", "???", 1, undefined],
      ["agent", "three", 1, undefined],
    ],
  );
  assert.equal(conversation.messages[2]?.tool?.output, "ok");
});
