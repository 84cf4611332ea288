import type { SessionId } from "../contract/id.ts";
import type { Conversation } from "../session/project.ts";
import { emptyConversation, project } from "../session/project.ts";
import type { Store } from "./ports.ts";

const PAGE = 1000;

/** The whole conversation, folded page by page so that a long one does not hold up others. */
export const conversationOf = async (
  store: Store,
  session: SessionId,
): Promise<Conversation> => {
  const conversation = emptyConversation();
  let cursor = 0;
  for (;;) {
    const events = await store.events(session, cursor, PAGE);
    for (const event of events) project(conversation, event);
    const last = events.at(-1);
    if (last === undefined || events.length < PAGE) return conversation;
    cursor = last.seq;
  }
};
