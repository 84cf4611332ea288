/** A part of a conversation with what happened meanwhile, read from the part of the journal where it lies. */
import type {
  ConversationWindow,
  WindowQuery,
} from "../../contract/api/window-route.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { ConversationEvents } from "../../session/view/conversation-events.ts";
import {
  fold,
  numberOf,
  olderThan,
  type Reading,
  windowBefore,
} from "./message-page.ts";

/** `last` is the number of the session's last event. */
export const windowOf = async (
  store: Reading,
  session: SessionId,
  last: number,
  query: WindowQuery,
): Promise<ConversationWindow> => {
  const { limit } = query;
  const before =
    query.before === undefined
      ? last + 1
      : Math.min(last + 1, numberOf(query.before));
  const { from, older } = await windowBefore(store, session, before, limit);
  const events = new ConversationEvents();
  const page = await fold(store, session, {
    // Before the first message a session has begun, and may have died.
    from: older && from !== null ? from : 1,
    last,
    limits: { before, messages: limit, keep: "newest" },
    also: (event) => {
      if (event.seq < before) events.take(event);
    },
  });
  const previous = olderThan(page, older);
  const begin = previous === null ? 1 : numberOf(previous);
  return {
    messages: page.messages,
    events: events.between(begin, before),
    previous,
    seq: last,
  };
};
