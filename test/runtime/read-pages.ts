/** A conversation read part by part. */
import assert from "node:assert/strict";
import {
  messageId,
  type MessageId,
  type SessionId,
} from "../../src/contract/base/id.ts";
import type { Message } from "../../src/contract/session/message.ts";
import type { House } from "./house.ts";

export const paged = async (
  operations: House["operations"],
  session: SessionId,
  direction: "before" | "after",
  limit: number,
): Promise<Message[]> => {
  const messages: Message[] = [];
  let cursor = direction === "after" ? messageId(0) : undefined;
  for (;;) {
    const page = await operations.listMessages(session, {
      [direction]: cursor,
      limit,
    });
    assert.ok(page.messages.length <= limit);
    if (direction === "after") messages.push(...page.messages);
    else messages.unshift(...page.messages);
    if (page.next === null) return messages;
    cursor = page.next;
  }
};

export const windowed = async (
  operations: House["operations"],
  session: SessionId,
  limit: number,
  from: number,
): Promise<Message[]> => {
  const messages: Message[] = [];
  const seqs: number[] = [];
  let before: MessageId | undefined;
  for (;;) {
    const query = { limit, ...(before && { before }) };
    const window = await operations.showWindow(session, query);
    assert.equal(window.seq, from - 1);
    messages.unshift(...window.messages);
    seqs.unshift(...window.events.map(({ seq }) => seq));
    if (window.previous === null) break;
    before = window.previous;
  }
  assert.deepEqual(
    seqs,
    [...new Set(seqs)].toSorted((a, b) => a - b),
  );
  assert.ok(seqs.length > 0);
  return messages;
};
