/** The JSON documents of a session's directory. */
import type { Message } from "../contract/message.ts";
import type { Session } from "../contract/session.ts";

/** Serialised piece by piece, so that a long conversation is not one long pause. */
export function* conversationDocument(
  session: Session,
  messages: readonly Message[],
): Generator<string> {
  const head = {
    session_id: session.id,
    agent_name: session.agent,
    created_at: session.created_at,
    last_updated: session.last_active_at,
  };
  yield `${JSON.stringify(head).slice(0, -1)},"messages":[`;
  for (const [i, message] of messages.entries())
    yield `${i === 0 ? "" : ","}\n${JSON.stringify(message)}`;
  yield "]}\n";
}

export const summaryDocument = (
  session: Session,
  messages: readonly Message[],
) => ({
  session_id: session.id,
  agent_name: session.agent,
  name: session.name,
  state: session.state,
  status: session.status,
  turn_count: session.turn_count,
  message_count: messages.length,
  last_words: session.last_words,
  usage: session.usage,
  resume: session.resume,
  error_message: session.error_message,
  created_at: session.created_at,
  last_updated: session.last_active_at,
});

export const metadataDocument = (
  session: Session,
  messages: readonly Message[],
) => ({
  agent_name: session.agent,
  executor_id: session.executor_id,
  last_message_at: messages.at(-1)?.at ?? null,
  last_active_at: session.last_active_at,
});
