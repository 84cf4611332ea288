import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Event } from "../../contract/event/event.ts";
import type { Message } from "../../contract/session/message.ts";
import { messageId } from "../../contract/base/id.ts";
import { MAX_TEXT } from "../../contract/base/text-limit.ts";
import { MAX_PAGE_CHARACTERS } from "../../session/view/message-page.ts";
import { emptyConversation, project } from "../../session/view/project.ts";
import { SESSION, Story } from "../../session/testing.ts";
import {
  happenAll,
  MAX_CHOICE,
  show,
} from "../../session/fixtures/conversation-steps.ts";
import { storeWith } from "../fixtures/story-store.ts";
import { messagesOf } from "./message-page.ts";

const whole = (events: readonly Event[]): Message[] => {
  const conversation = emptyConversation();
  for (const event of events) project(conversation, event);
  return conversation.messages;
};

type Stored = Awaited<ReturnType<typeof storeWith>>;

const pagesForward = async (
  { store, last }: Stored,
  limit: number,
): Promise<Message[][]> => {
  const pages: Message[][] = [];
  let after = messageId(0);
  for (;;) {
    const page = await messagesOf(store, SESSION, last, { after, limit });
    pages.push(page.messages);
    if (page.next === null) return pages;
    after = page.next;
  }
};

const pagesBackward = async (
  { store, last }: Stored,
  limit: number,
): Promise<Message[][]> => {
  const pages: Message[][] = [];
  let before: Message["id"] | undefined;
  for (;;) {
    const page = await messagesOf(store, SESSION, last, { before, limit });
    pages.unshift(page.messages);
    if (page.next === null) return pages;
    before = page.next;
  }
};

test("[API-99] pages in either direction are the conversation, whatever happened and wherever they end", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(MAX_CHOICE), { maxLength: 60, size: "max" }),
      fc.constantFrom(1, 2, 3, 7, 1000),
      async (choices, limit) => {
        const story = happenAll(new Story().up(), choices);
        const journal = await storeWith(story);
        const wanted = whole(story.events);
        for (const pages of [
          await pagesForward(journal, limit),
          await pagesBackward(journal, limit),
        ]) {
          assert.deepEqual(pages.flat(), wanted);
          assert.ok(pages.every((page) => page.length <= limit));
          assert.ok(pages.length === 1 || pages.every((page) => page.length));
        }
      },
    ),
    { numRuns: 60, seed: Number(process.env["SEED"] ?? 1) },
  );
});

test("[API-100] a page of long messages ends early, and no message is left out", async () => {
  const story = new Story().up().queue(1, "go").deliver(1);
  story.say("x".repeat(9 * MAX_TEXT));
  for (let n = 0; n < 12; n += 1) {
    const status = "completed" as const;
    show(story, { id: `t${n}`, status, output: "o".repeat(MAX_TEXT) });
  }
  // Calls that began long before they showed anything: the page they are in grows behind its end.
  for (let n = 0; n < 12; n += 1)
    show(story, { id: `late ${n}`, status: "in_progress" });
  for (let n = 0; n < 12; n += 1)
    show(story, { id: `late ${n}`, more_output: "o".repeat(MAX_TEXT) });
  const journal = await storeWith(story);
  for (const pages of [
    await pagesForward(journal, 1000),
    await pagesBackward(journal, 1000),
  ]) {
    assert.deepEqual(pages.flat(), whole(story.events));
    assert.ok(pages.length > 5);
    for (const page of pages) {
      const size = JSON.stringify(page).length;
      assert.ok(size < MAX_PAGE_CHARACTERS * 1.1, `${size} in a page`);
    }
  }
});

test("[API-100] the newest page is read from the end: what is before it costs nothing", async () => {
  const readFor = async (turns: number): Promise<number> => {
    const story = new Story().up();
    for (let n = 1; n <= turns; n += 1)
      show(story.queue(n).deliver(n).say("a word"), {
        id: "t",
        status: "completed",
      }).endTurn(n);
    const journal = await storeWith(story);
    await messagesOf(journal.store, SESSION, journal.last, { limit: 10 });
    return journal.read.length;
  };
  assert.equal(await readFor(60), await readFor(30));
});

test("[API-100] of a page in the middle, as much is read behind it as can still change it", async () => {
  const story = new Story().up().queue(1).deliver(1);
  const { from } = story.words(0);
  const calls = Array.from({ length: 3000 }, (_, n) => ({
    kind: "tool" as const,
    tool: { id: `t${n}`, status: "completed" as const },
    range: { from: from + n, to: from + n + 1 },
  }));
  story.report(...calls);
  const journal = await storeWith(story);
  const page = await messagesOf(journal.store, SESSION, journal.last, {
    after: messageId(0),
    limit: 10,
  });
  assert.deepEqual(page.messages, whole(story.events).slice(0, 10));
  // A thousand events are read at once: the rest of the turn was not.
  assert.ok(journal.read.length <= 1000);
});

test("[API-200] a page tells where the messages before it are, in either direction, and the event it is as of", async () => {
  const story = new Story().up().queue(1, "go").deliver(1).say("one ");
  const at = story.state.seq;
  const first = await storeWith(story);
  const page = await messagesOf(first.store, SESSION, at, { limit: 1 });
  assert.equal(page.seq, at);
  assert.deepEqual(
    page.messages.map(({ text }) => text),
    ["one "],
  );
  assert.equal(page.previous, page.messages[0]?.id);
  story.say("two");
  show(story, { id: "t", status: "completed" });
  const { store, last } = await storeWith(story);
  const all = whole(story.events).map(({ id }) => id);
  assert.equal(all.length, 3);
  for (const [i, id] of all.entries()) {
    const behind = await messagesOf(store, SESSION, last, {
      after: id,
      limit: 10,
    });
    assert.equal(behind.seq, last);
    const { previous } = behind;
    assert.ok(previous !== null);
    const before = await messagesOf(store, SESSION, last, {
      before: previous,
      limit: 10,
    });
    assert.deepEqual(
      before.messages.map((each) => each.id),
      all.slice(0, i + 1),
    );
    assert.equal(before.previous, null);
  }
  const after = messageId(0);
  const start = await messagesOf(store, SESSION, last, { after, limit: 1 });
  assert.equal(start.previous, null);
});
