import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../contract/session/message.ts";
import { MAX_TEXT } from "../../contract/base/text-limit.ts";
import { decideCreate } from "../../session/decide/create.ts";
import { emptyConversation, project } from "../../session/view/project.ts";
import { at, creation, SESSION, Story } from "../../session/testing.ts";
import { copiedConversation } from "./copied-conversation.ts";
import { storeWith } from "../fixtures/story-store.ts";

const MIB = 1024 * 1024;

const messagesIn = (story: Story): Message[] => {
  const conversation = emptyConversation();
  for (const event of story.events) project(conversation, event);
  return conversation.messages;
};

const long = (): Story => {
  const story = new Story().up();
  for (const n of [1, 2, 3]) {
    story.queue(n, `prompt ${n}`).deliver(n);
    story.report({ kind: "garbage", text: "?", range: story.words(2) });
    story.say("x".repeat(8 * MAX_TEXT)).endTurn(n);
  }
  return story;
};

test("[SES-39] a fork takes over the end of a long conversation, and knows how much there is before it", async () => {
  const story = long();
  const { store, last } = await storeWith(story);
  const all = messagesIn(story).filter(({ role }) => role !== "notice");
  const copied = await copiedConversation(store, SESSION, last, () => true);
  assert.deepEqual(copied.messages, all.slice(-copied.messages.length));
  assert.ok(JSON.stringify(copied.messages).length <= 16.1 * MIB);
  assert.equal(copied.left_out, all.length - copied.messages.length);
  assert.ok(copied.left_out > 5);
  assert.equal(copied.turns, 3);

  const one = await copiedConversation(store, SESSION, last, (n) => n === 2);
  assert.deepEqual(
    one.messages,
    all.filter(({ turn }) => turn === 2),
  );
  assert.deepEqual([one.left_out, one.turns], [0, 1]);
});

test("[SES-39] the fork says what it does not repeat; its messages go on from its own", async () => {
  const { store, last } = await storeWith(long());
  const said = await copiedConversation(store, SESSION, last, () => true);
  const { newest: checkpoint } = new Story({ checkpoints: true }).captured(1)
    .state.checkpoints;
  assert.ok(checkpoint !== null);
  const parent = { session_id: SESSION, turn: 3 };
  const origin = { ...said, checkpoint, memory: null };
  const decision = decideCreate(creation({ parent, origin }), at(1));
  assert.ok(decision.kind === "events");
  const notice = decision.events.find(({ type }) => type === "session.notice");
  assert.ok(notice?.type === "session.notice");
  assert.equal(notice.data.code, "history_left_out");
  assert.match(notice.data.text, new RegExp(`first ${said.left_out} messages`));
  const messages = decision.events.flatMap((event) =>
    event.type === "session.message.added" ? [event.data.message] : [],
  );
  const ids = new Set<string>(messages.map(({ id }) => id));
  const links = messages.flatMap(({ continues }) => continues ?? []);
  assert.ok(links.length > 5);
  assert.ok(links.every((id) => ids.has(id)));
});
