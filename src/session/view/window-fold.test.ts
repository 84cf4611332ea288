import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Event } from "../../contract/event/event.ts";
import type { Message } from "../../contract/session/message.ts";
import { happenAll, MAX_CHOICE, show } from "../fixtures/conversation-steps.ts";
import { Story } from "../testing.ts";
import { emptyConversation, project } from "./project.ts";
import { type MessagesAt, WindowFold } from "./window-fold.ts";

/** The newest messages after an event, or the newest before another message. */
const windowAt = (
  events: readonly Event[],
  seq: number,
  limit: number,
  before?: Message,
): MessagesAt => {
  const messages = wholeAt(events, seq);
  const found = messages.findIndex(({ id }) => id === before?.id);
  const end = found === -1 ? messages.length : found;
  return { messages: messages.slice(Math.max(0, end - limit), end), seq };
};

const wholeAt = (events: readonly Event[], seq: number): Message[] => {
  const conversation = emptyConversation();
  for (const event of events)
    if (event.seq <= seq) project(conversation, event);
  return conversation.messages;
};

test("[API-200] a window and the events behind it are the end of the conversation", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(MAX_CHOICE), { maxLength: 60, size: "max" }),
      fc.constantFrom(1, 2, 5, 100),
      fc.nat(),
      (choices, limit, choice) => {
        const { events } = happenAll(new Story().up(), choices);
        const from = choice % (events.length + 1);
        const fold = new WindowFold(windowAt(events, from, limit));
        const missing = wholeAt(events, from).length - fold.messages.length;
        for (const event of events) fold.take(event);
        assert.equal(fold.seq, events.length);
        assert.deepEqual(
          fold.messages,
          wholeAt(events, events.length).slice(missing),
        );
      },
    ),
    { numRuns: 60, seed: Number(process.env["SEED"] ?? 1) },
  );
});

test("[API-202] older windows may be read before or behind what was told when they are put before it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(MAX_CHOICE), { maxLength: 60, size: "max" }),
      fc.constantFrom(1, 2, 5),
      fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 6 }),
      fc.nat(),
      (choices, limit, older, choice) => {
        const { events } = happenAll(new Story().up(), choices);
        const last = events.length;
        const from = choice % (last + 1);
        const fold = new WindowFold(windowAt(events, from, limit));
        /** At which event each is put there, and at which it was read. */
        const plan = older
          .map(([put, read]) => ({
            put: from + (put % (last - from + 1)),
            read: from + (read % (last - from + 1)),
          }))
          .toSorted((a, b) => a.put - b.put);
        for (const event of events) {
          for (const { read } of plan.filter(({ put }) => put === event.seq))
            if (fold.messages[0] !== undefined)
              fold.prepend(windowAt(events, read, limit, fold.messages[0]));
          fold.take(event);
        }
        const whole = wholeAt(events, last);
        assert.deepEqual(
          fold.messages,
          whole.slice(whole.length - fold.messages.length),
        );
      },
    ),
    { numRuns: 100, seed: Number(process.env["SEED"] ?? 1) },
  );
});

test("[API-202] output that an older window has already is not added again, and what came before it was read is not lost", () => {
  const story = new Story().up().queue(1, "go").deliver(1);
  show(story, { id: "t", status: "in_progress", more_output: "one " });
  story.say("meanwhile");
  const at = story.state.seq;
  show(story, { id: "t", more_output: "two " });
  show(story, { id: "t", more_output: "three " });
  const last = story.state.seq;
  const { events } = story;
  for (const read of [at, at + 1, last])
    for (const told of [at, at + 1, last]) {
      const fold = new WindowFold(windowAt(events, at, 1));
      for (const event of events) if (event.seq <= told) fold.take(event);
      fold.prepend(windowAt(events, read, 10, fold.messages[0]));
      for (const event of events) fold.take(event);
      const tool = fold.messages.find(({ role }) => role === "tool")?.tool;
      assert.equal(tool?.output, "one two three ", `${read} ${told}`);
    }
});
