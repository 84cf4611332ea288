import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConversationWindow } from "../../../../src/client/client.ts";
import type { Event } from "../../../../src/contract/event/event.ts";
import { Story } from "../../../../src/session/testing.ts";
import {
  emptyConversation,
  project,
} from "../../../../src/session/view/project.ts";
import { Conversation } from "./conversation.ts";

test("[PAG-45] a turn that two windows share has its beginning and its end, and its tool calls are as they are now", () => {
  const story = new Story().up().queue(1, "go").deliver(1);
  const call = (tool: { status?: "completed"; more_output: string }) =>
    story.report({
      kind: "tool",
      tool: { id: "t", ...tool },
      range: story.words(2),
    });
  call({ more_output: "one " });
  story.say("the end");
  const read = story.state.seq;
  call({ status: "completed", more_output: "two" });
  story.endTurn(1);
  const { events } = story;

  const messages = messagesAt(events, read);
  const last = messages.at(-1);
  assert.ok(last !== undefined);
  const begin = Number(last.id.slice("msg_".length));
  const conversation = new Conversation({
    messages: [last],
    events: events.filter(({ seq }) => seq >= begin && seq <= read),
    previous: last.id,
    seq: read,
  });
  for (const event of events) if (event.seq > read) conversation.take(event);
  // The earlier window was read before the call was completed.
  conversation.prepend({
    messages: messages.slice(0, -1),
    events: events.filter(({ seq }) => seq < begin),
    previous: null,
    seq: read,
  });
  const time = conversation.times.get(1);
  assert.ok(time?.startedAt && time.endedAt, JSON.stringify(time));
  assert.deepEqual(conversation.messages, messagesAt(events, events.length));
});

const messagesAt = (
  events: readonly Event[],
  seq: number,
): ConversationWindow["messages"] => {
  const folded = emptyConversation();
  for (const event of events) if (event.seq <= seq) project(folded, event);
  return folded.messages;
};
