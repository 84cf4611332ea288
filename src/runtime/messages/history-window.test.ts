import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../contract/event/event.ts";
import type { Message } from "../../contract/session/message.ts";
import { MAX_TEXT } from "../../contract/base/text-limit.ts";
import { emptyConversation, project } from "../../session/view/project.ts";
import { SESSION, Story } from "../../session/testing.ts";
import { HistoryWindow } from "../../session/view/transcript.ts";
import { storeWith } from "../fixtures/story-store.ts";
import { historyUpTo } from "./history-window.ts";

/** The same, from the whole conversation. */
const expected = (
  events: readonly Event[],
  isWanted: (message: Message) => boolean,
) => {
  const conversation = emptyConversation();
  for (const event of events) project(conversation, event);
  const told = conversation.messages.filter(
    (each) =>
      isWanted(each) &&
      each.continues === undefined &&
      each.role !== "thought" &&
      each.role !== "notice",
  );
  const window = new HistoryWindow();
  const last = told.findLastIndex((each) => !window.add(each));
  return window.history(last + 1);
};

/** So many turns, with what is told and what is not. */
const talk = (turns: number, words: number): Story => {
  const story = new Story().up();
  for (let n = 1; n <= turns; n += 1) {
    story.queue(n, `prompt ${n} `.repeat(words / 5)).deliver(n);
    story.report({
      kind: "text",
      role: "thought",
      text: "hm",
      range: story.words(2),
    });
    story.report({ kind: "garbage", text: "?", range: story.words(2) });
    story.say("word ".repeat(words)).endTurn(n);
  }
  return story;
};

test("[SES-38] the history is what fits of the newest messages, and the others are counted", async () => {
  const story = talk(70, 1000);
  const { store } = await storeWith(story);
  for (const isWanted of [
    () => true,
    (turn: number) => turn % 3 !== 0,
    (turn: number) => turn < 20,
  ]) {
    const history = await historyUpTo(
      store,
      SESSION,
      story.state.seq,
      isWanted,
    );
    assert.deepEqual(
      history,
      expected(story.events, ({ turn }) => isWanted(turn)),
    );
  }
});

test("[SES-38] of a message that goes on in others the beginning is told, once", async () => {
  const story = talk(2, 10).queue(3).deliver(3);
  story.say("x".repeat(3 * MAX_TEXT)).endTurn(3);
  const { store } = await storeWith(story);
  const { entries, left_out } = await historyUpTo(
    store,
    SESSION,
    story.state.seq,
    () => true,
  );
  assert.equal(left_out, 0);
  assert.deepEqual(entries.at(-1), [`[ASSISTANT]: ${"x".repeat(2000)}`]);
  assert.equal(entries.length, 6);
});

test("[SES-38] for a history only the end of a conversation is read, however long it is", async () => {
  const readFor = async (turns: number): Promise<number> => {
    const story = talk(turns, 1000);
    const { store, read } = await storeWith(story);
    await historyUpTo(store, SESSION, story.state.seq, () => true);
    return JSON.stringify(read).length;
  };
  const [short, long] = [await readFor(65), await readFor(100)];
  assert.ok(long < short * 1.02, `${short} characters became ${long}`);
});
