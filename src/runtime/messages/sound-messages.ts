/** Pages of a conversation whose journal may be damaged: up to the damage, where a notice says so. */
import {
  messageId,
  type MessageId,
  type SessionId,
} from "../../contract/base/id.ts";
import type { Message } from "../../contract/session/message.ts";
import type { MessagesQuery } from "../../contract/api/request.ts";
import type {
  ConversationWindow,
  WindowQuery,
} from "../../contract/api/window-route.ts";
import type { Engine } from "../sessions/session-journal.ts";
import { windowOf } from "./conversation-window.ts";
import { type Messages, messagesOf, numberOf } from "./message-page.ts";
import type { Store } from "../ports/store.ts";
import { isSessionDamaged } from "../failures/session-damaged.ts";

interface DamagedJournal {
  store: Store;
  session: SessionId;
  /** The first event that cannot be trusted. */
  from: number;
  words: string;
}

interface Parts {
  engine: Pick<Engine, "state">;
  store: Store;
}

export const soundMessagesOf = (
  parts: Parts,
  session: SessionId,
  query: MessagesQuery,
): Promise<Messages> =>
  orUpToDamage(
    parts,
    session,
    (last) => messagesOf(parts.store, session, last, query),
    (journal) =>
      query.after === undefined
        ? pageBefore(journal, query)
        : pageAfter(journal, query.after, query.limit),
  );

export const soundWindowOf = (
  parts: Parts,
  session: SessionId,
  query: WindowQuery,
): Promise<ConversationWindow> =>
  orUpToDamage(
    parts,
    session,
    (last) => windowOf(parts.store, session, last, query),
    (journal) => damagedWindow(journal, query),
  );

const orUpToDamage = async <T>(
  { engine, store }: Parts,
  session: SessionId,
  read: (last: number) => Promise<T>,
  readDamaged: (journal: DamagedJournal) => Promise<T>,
): Promise<T> => {
  try {
    const { seq } = await engine.state(session);
    // Who was just told that a turn is over finds all of it here: what is stored is ahead of the engine for a moment.
    const stored = (await store.session(session))?.last_seq ?? seq;
    return await read(Math.max(seq, stored));
  } catch (error) {
    if (!isSessionDamaged(error)) throw error;
    const { damaged_from: from, message: words } = error;
    // Where nothing can be read there is nothing to show.
    if (from === undefined || from === 1) throw error;
    return readDamaged({ store, session, from, words });
  }
};

const pageBefore = async (
  journal: DamagedJournal,
  { before, limit }: MessagesQuery,
): Promise<Messages> => {
  const { store, session, from } = journal;
  if (before !== undefined && numberOf(before) <= from)
    return messagesOf(store, session, from - 1, { before, limit });
  const notice = await noticeOf(journal);
  if (limit === 1)
    return {
      messages: [notice],
      next: notice.id,
      previous: notice.id,
      seq: from - 1,
    };
  const page = await messagesOf(store, session, from - 1, { limit: limit - 1 });
  return { ...page, messages: [...page.messages, notice] };
};

const pageAfter = async (
  journal: DamagedJournal,
  after: MessageId,
  limit: number,
): Promise<Messages> => {
  const { store, session, from } = journal;
  const end = { next: null, seq: from - 1 };
  if (numberOf(after) >= from)
    return { ...end, messages: [], previous: messageId(from + 1) };
  const page = await messagesOf(store, session, from - 1, { after, limit });
  if (page.next !== null) return page;
  const newest = page.messages.at(-1);
  // The notice is on the next page then.
  if (newest !== undefined && page.messages.length === limit)
    return { ...page, next: newest.id };
  const notice = await noticeOf(journal);
  return { ...page, messages: [...page.messages, notice], ...end };
};

const damagedWindow = async (
  journal: DamagedJournal,
  { before, limit }: WindowQuery,
): Promise<ConversationWindow> => {
  const { store, session, from } = journal;
  const last = from - 1;
  if (before !== undefined && numberOf(before) <= from)
    return windowOf(store, session, last, { before, limit });
  const notice = await noticeOf(journal);
  if (limit === 1)
    return { messages: [notice], events: [], previous: notice.id, seq: last };
  const window = await windowOf(store, session, last, { limit: limit - 1 });
  return { ...window, messages: [...window.messages, notice] };
};

/** The newest message. It has the number of the first damaged event. */
const noticeOf = async (journal: DamagedJournal): Promise<Message> => {
  const { store, session, from, words } = journal;
  const last = from - 1;
  const [event] = await store.events(session, last - 1, 1);
  const { messages } = await messagesOf(store, session, last, { limit: 1 });
  return {
    id: messageId(from),
    turn: messages[0]?.turn ?? 0,
    role: "notice",
    text: words,
    at: event?.at ?? "",
  };
};
