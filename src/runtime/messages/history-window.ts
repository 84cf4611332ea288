/** What an agent is told of a conversation, read from its end: as much as is told, however long the conversation is. */
import type { SessionId } from "../../contract/base/id.ts";
import {
  type History,
  HistoryWindow,
  isToldOf,
} from "../../session/view/transcript.ts";
import { messagesOf, type Reading, startsBefore } from "./message-page.ts";
import type { Message } from "../../contract/session/message.ts";

const MESSAGES_AT_ONCE = 200;
const STARTS_AT_ONCE = 10_000;

/** Of the messages of certain turns, up to an event. */
export const historyUpTo = async (
  store: Reading,
  session: SessionId,
  last: number,
  isWanted: (turn: number) => boolean,
): Promise<History> => {
  const window = new HistoryWindow();
  let before: Message["id"] | undefined;
  for (;;) {
    const page = await messagesOf(store, session, last, {
      before,
      limit: MESSAGES_AT_ONCE,
    });
    for (const message of page.messages.toReversed())
      if (isWanted(message.turn) && !window.add(message))
        return window.history(
          1 + (await countBefore(store, session, message.id, isWanted)),
        );
    if (page.next === null) return window.history(0);
    before = page.next;
  }
};

/** How many older messages would have been told as well. They are counted without being read. */
const countBefore = async (
  store: Reading,
  session: SessionId,
  id: Message["id"],
  isWanted: (turn: number) => boolean,
): Promise<number> => {
  let count = 0;
  const before = Number(id.slice("msg_".length));
  for await (const start of startsBefore(
    store,
    session,
    before,
    STARTS_AT_ONCE,
  ))
    if (start.turn !== null && isWanted(start.turn) && isToldOf(start))
      count += 1;
  return count;
};
