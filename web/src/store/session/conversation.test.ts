import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConversationWindow } from "../../../../src/client/client.ts";
import type { Event } from "../../../../src/contract/event/event.ts";
import {
  rewind,
  turns,
} from "../../../../src/session/fixtures/line-stories.ts";
import { prompt, Story } from "../../../../src/session/testing.ts";
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

test("[PAG-151] what the agent was given as text is found at the turn that began with it", () => {
  const story = new Story().up().queue(1, "go").deliver(1).endTurn(1);
  story.die().queue(2, "go on").begin().ready();
  story.given({
    type: "history.inject",
    prompt_id: prompt(2),
    text: "all that was said",
    left_out: 0,
  });
  const conversation = new Conversation({
    messages: [],
    events: story.events,
    previous: null,
    seq: story.state.seq,
  });
  assert.deepEqual(
    [...conversation.told.values()],
    [{ turn: 2, text: "all that was said" }],
  );
});

test("[PAG-148] a rewind can be undone until a turn begins, to what it captured first", () => {
  const story = rewind(turns(1, 2), 1, true);
  const conversation = new Conversation({
    messages: [],
    events: story.events,
    previous: null,
    seq: story.state.seq,
  });
  const captured = story.events.flatMap((event) =>
    event.type === "session.checkpoint.saved" &&
    event.data.checkpoint.kind === "rewind"
      ? [event.data.checkpoint.id]
      : [],
  );
  assert.deepEqual(conversation.rewound, { to: 1, undo: captured[0] });
  const { seq } = story.state;
  story.queue(3).begin().ready();
  for (const event of story.events)
    if (event.seq > seq) conversation.take(event);
  assert.equal(conversation.rewound, null);
});

const messagesAt = (
  events: readonly Event[],
  seq: number,
): ConversationWindow["messages"] => {
  const folded = emptyConversation();
  for (const event of events) if (event.seq <= seq) project(folded, event);
  return folded.messages;
};
