/** The short JSON documents of a session's directory. */
import type { Session } from "../contract/session/session.ts";
import type { Mark } from "./mark.ts";
import { plainJson } from "./plain-text.ts";

export const summaryDocument = (
  session: Session,
  messageCount: number,
): string =>
  document({
    session_id: session.id,
    agent_name: session.agent,
    name: session.name,
    state: session.state,
    status: session.status,
    turn_count: session.turn_count,
    message_count: messageCount,
    last_words: session.last_words,
    usage: session.usage,
    context: session.context,
    resume: session.resume,
    error_message: session.error_message,
    created_at: session.created_at,
    last_updated: session.last_active_at,
  });

export const metadataDocument = (
  session: Session,
  lastMessageAt: string | null,
  written: Mark | null,
): string =>
  document({
    agent_name: session.agent,
    executor_id: session.executor_id,
    last_message_at: lastMessageAt,
    last_active_at: session.last_active_at,
    written,
  });

const document = (value: object): string => `${plainJson(value, 2)}\n`;
