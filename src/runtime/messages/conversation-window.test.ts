import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ConversationWindow } from "../../contract/api/window-route.ts";
import { SESSION, Story } from "../../session/testing.ts";
import { ConversationEvents } from "../../session/view/conversation-events.ts";
import { emptyConversation, project } from "../../session/view/project.ts";
import {
  happenAll,
  MAX_CHOICE,
  show,
} from "../../session/fixtures/conversation-steps.ts";
import { storeWith } from "../fixtures/story-store.ts";
import { windowOf } from "./conversation-window.ts";

const windowsOf = async (
  { store, last }: Awaited<ReturnType<typeof storeWith>>,
  limit: number,
): Promise<ConversationWindow[]> => {
  const windows: ConversationWindow[] = [];
  let before: ConversationWindow["previous"] | undefined;
  for (;;) {
    const query = { limit, ...(before && { before }) };
    const window = await windowOf(store, SESSION, last, query);
    windows.unshift(window);
    if (window.previous === null) return windows;
    before = window.previous;
  }
};

test("[API-201] [API-202] windows, one after the other, have every message and every event that is shown once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(MAX_CHOICE), { maxLength: 60, size: "max" }),
      fc.constantFrom(1, 2, 3, 7, 1000),
      async (choices, limit) => {
        const story = happenAll(new Story().up(), choices);
        const windows = await windowsOf(await storeWith(story), limit);
        const conversation = emptyConversation();
        const shown = new ConversationEvents();
        for (const event of story.events) {
          project(conversation, event);
          shown.take(event);
        }
        assert.deepEqual(
          windows.flatMap(({ messages }) => messages),
          conversation.messages,
        );
        // A plan that a later window replaces may be there too.
        const seqs = windows.flatMap(({ events }) =>
          events.map(({ seq }) => seq),
        );
        assert.deepEqual(
          seqs,
          [...new Set(seqs)].toSorted((a, b) => a - b),
        );
        const expected = shown.between(1, Number.POSITIVE_INFINITY);
        assert.ok(expected.every(({ seq }) => seqs.includes(seq)));
        const merged = new ConversationEvents();
        for (const { events } of windows) events.forEach((e) => merged.take(e));
        assert.deepEqual(merged.between(1, Number.POSITIVE_INFINITY), expected);
        for (const { seq } of windows) assert.equal(seq, story.state.seq);
      },
    ),
    { numRuns: 60, seed: Number(process.env["SEED"] ?? 1) },
  );
});

test("[API-201] an event belongs to the window with the message before it", async () => {
  const story = new Story().up();
  for (let n = 1; n <= 3; n += 1)
    story.queue(n).deliver(n).say(`answer ${n}`).endTurn(n);
  const windows = await windowsOf(await storeWith(story), 2);
  assert.equal(windows.length, 3);
  for (const { messages, events } of windows.slice(1)) {
    const [first] = messages;
    assert.ok(first !== undefined);
    assert.ok(events.every(({ seq }) => `msg_${seq}` !== first.id));
    assert.ok(events.some(({ type }) => type === "session.turn.ended"));
  }
});

test("[API-203] the newest window is read from the end: what is before it costs nothing", async () => {
  const readFor = async (turns: number): Promise<number> => {
    const story = new Story().up();
    for (let n = 1; n <= turns; n += 1)
      show(story.queue(n).deliver(n).say("a word"), {
        id: "t",
        status: "completed",
      }).endTurn(n);
    const journal = await storeWith(story);
    await windowOf(journal.store, SESSION, journal.last, { limit: 10 });
    return journal.read.length;
  };
  assert.equal(await readFor(60), await readFor(30));
});
