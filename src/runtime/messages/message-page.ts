/** A page of a session's conversation, read from the part of the journal where it lies. */
import {
  messageId,
  type MessageId,
  type SessionId,
} from "../../contract/base/id.ts";
import type { Event } from "../../contract/event/event.ts";
import type { Message } from "../../contract/session/message.ts";
import type { MessagesQuery } from "../../contract/api/request.ts";
import {
  MAX_PAGE_CHARACTERS,
  MessagePage,
  type PageLimits,
} from "../../session/view/message-page.ts";
import { eventsUpTo } from "../../journal/journal-reader.ts";
import { type Sessions, sessions } from "../sessions/session-journal.ts";
import type { MessageStart, Store } from "../ports/store.ts";

export interface Messages {
  /** Oldest first. */
  messages: Message[];
  /** What to ask for the next page with, in the same direction; null when there is none. */
  next: MessageId | null;
  /** What to ask for the messages before these with; null when there are none. */
  previous: MessageId | null;
  /** The messages are as they were after this event. */
  seq: number;
}

/** What is read of a store. */
export type Reading = Pick<Store, "events" | "messageStarts">;

/** `last` is the number of the session's last event. */
export const messagesOf = (
  store: Reading,
  session: SessionId,
  last: number,
  { before, after, limit }: MessagesQuery,
): Promise<Messages> => {
  if (after !== undefined)
    return messagesAfter(store, session, last, numberOf(after), limit);
  const end = before === undefined ? last + 1 : numberOf(before);
  return messagesBefore(store, session, last, end, limit);
};

const messagesBefore = async (
  store: Reading,
  session: SessionId,
  last: number,
  before: number,
  limit: number,
): Promise<Messages> => {
  const { from, older } = await windowBefore(store, session, before, limit);
  if (from === null)
    return { messages: [], next: null, previous: null, seq: last };
  const page = await fold(store, session, {
    from,
    last,
    limits: { before, messages: limit, keep: "newest" },
  });
  const previous = olderThan(page, older);
  return { messages: page.messages, next: previous, previous, seq: last };
};

/** The cursor for what is before a page of the newest messages. */
export const olderThan = (
  { messages: [first], wasCut }: MessagePage,
  older: boolean,
): MessageId | null =>
  (older || wasCut) && first !== undefined ? first.id : null;

const messagesAfter = async (
  store: Reading,
  session: SessionId,
  last: number,
  after: number,
  limit: number,
): Promise<Messages> => {
  const page = await fold(store, session, {
    from: after + 1,
    last,
    limits: { before: last + 1, messages: limit, keep: "oldest" },
  });
  const [first] = page.messages;
  const newest = page.messages.at(-1);
  const begin = Math.min(after, last) + 1;
  const { from } = await windowBefore(store, session, begin, 1);
  return {
    messages: page.messages,
    next: page.wasCut && newest !== undefined ? newest.id : null,
    previous: from === null ? null : (first?.id ?? messageId(begin)),
    seq: last,
  };
};

/** `also` is shown every event that is read. */
export const fold = async (
  store: Reading,
  session: SessionId,
  part: {
    from: number;
    last: number;
    limits: PageLimits;
    also?: (event: Event) => void;
  },
): Promise<MessagePage> => {
  const { from, last, limits, also } = part;
  const page = new MessagePage(limits, await turnBefore(store, session, from));
  const range = { after: from - 1, last };
  const source = { store, kind: sessions };
  for await (const event of eventsUpTo<Sessions>(source, session, range)) {
    also?.(event);
    if (!page.take(event)) break;
  }
  return page;
};

/** From which event on the newest messages before an event lie, as many and as much as a page holds. */
export const windowBefore = async (
  store: Reading,
  session: SessionId,
  before: number,
  limit: number,
): Promise<{ from: number | null; older: boolean }> => {
  let from: number | null = null;
  let messages = 0;
  let bytes = 0;
  for await (const start of startsBefore(store, session, before, limit + 1)) {
    bytes += start.bytes;
    const isFull =
      messages === limit || (messages > 0 && bytes > MAX_PAGE_CHARACTERS);
    if (isFull) return { from, older: true };
    messages += 1;
    from = start.seq;
  }
  return { from, older: false };
};

/** The turn of the message before an event: a notice belongs to it. */
const turnBefore = async (
  store: Reading,
  session: SessionId,
  before: number,
): Promise<number> => {
  for await (const { turn } of startsBefore(store, session, before, 1))
    if (turn !== null) return turn;
  return 0;
};

/** Where messages begin, from an event back to the beginning, so many at once. */
export async function* startsBefore(
  store: Reading,
  session: SessionId,
  before: number,
  atOnce: number,
): AsyncGenerator<MessageStart> {
  let cursor = before;
  let carried = 0;
  while (cursor > 1) {
    const found = await store.messageStarts(session, cursor, atOnce);
    for (const start of found.starts) {
      yield { ...start, bytes: start.bytes + carried };
      carried = 0;
    }
    carried += found.rest;
    if (found.reached === cursor) return;
    cursor = found.reached;
  }
}

/** A message is numbered by the event that begins it. */
export const numberOf = (id: MessageId): number =>
  Number(id.slice("msg_".length));
