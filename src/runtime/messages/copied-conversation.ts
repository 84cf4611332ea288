/** What a fork takes over of a conversation: as much of its end as can be put into a new journal at once. */
import type { SessionId } from "../../contract/base/id.ts";
import type { Message } from "../../contract/session/message.ts";
import { messagesOf, type Reading, startsBefore } from "./message-page.ts";

const MAX_COPIED_CHARACTERS = 16 * 1024 * 1024;
const MESSAGES_AT_ONCE = 1000;
const STARTS_AT_ONCE = 10_000;

export interface CopiedConversation {
  /** Oldest first, without notices. */
  messages: Message[];
  /** How many older ones there are. */
  left_out: number;
  /** How many turns all of them are of: each begins with what the user said. */
  turns: number;
}

/** Of the messages of certain turns, up to an event. */
export const copiedConversation = async (
  store: Reading,
  session: SessionId,
  last: number,
  isWanted: (turn: number) => boolean,
): Promise<CopiedConversation> => {
  const messages = await newest(store, session, last, isWanted);
  const turns = new Set<number>();
  let all = 0;
  for await (const { role, turn } of startsBefore(
    store,
    session,
    last + 1,
    STARTS_AT_ONCE,
  )) {
    if (turn === null || role === "notice" || !isWanted(turn)) continue;
    all += 1;
    if (role === "user") turns.add(turn);
  }
  return { messages, left_out: all - messages.length, turns: turns.size };
};

const newest = async (
  store: Reading,
  session: SessionId,
  last: number,
  isWanted: (turn: number) => boolean,
): Promise<Message[]> => {
  const copied: Message[] = [];
  let characters = 0;
  let before: Message["id"] | undefined;
  for (;;) {
    const page = await messagesOf(store, session, last, {
      before,
      limit: MESSAGES_AT_ONCE,
    });
    for (const message of page.messages.toReversed()) {
      if (message.role === "notice" || !isWanted(message.turn)) continue;
      characters += JSON.stringify(message).length;
      if (characters > MAX_COPIED_CHARACTERS) return copied.toReversed();
      copied.push(message);
    }
    if (page.next === null) return copied.toReversed();
    before = page.next;
  }
};
