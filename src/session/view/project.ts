/** The conversation, folded from events: by the server for `messages`, by clients for the screen. */
import type { Event } from "../../contract/event/event.ts";
import { messageId } from "../../contract/base/id.ts";
import type { Message } from "../../contract/session/message.ts";
import { mergeTool } from "../../contract/agent/tool.ts";

export interface Conversation {
  readonly messages: Message[];
  /** Where each message stands in `messages`. */
  readonly index: Map<string, number>;
}

export const emptyConversation = (): Conversation => conversationOf([]);

/** Goes on behind these messages. Changes of others are passed over. */
export const conversationOf = (messages: readonly Message[]): Conversation => ({
  messages: [...messages],
  index: new Map(messages.map(({ id }, at) => [id, at])),
});

/** Folds an event in. The conversation is changed in place: it can be long, and it has one owner. Says which message changed. */
export const project = (
  conversation: Conversation,
  event: Event,
): Message | null => {
  const { messages, index } = conversation;
  const begun = begunBy(event, messages.at(-1)?.turn ?? 0);
  if (begun !== null) {
    index.set(begun.id, messages.length);
    messages.push(begun);
    return begun;
  }
  const at = index.get(changes(event) ?? "");
  const message = at === undefined ? undefined : messages[at];
  if (at === undefined || message === undefined) return null;
  const changed = changedBy(message, event);
  messages[at] = changed;
  return changed;
};

/** The message that an event adds, if it adds one. A notice belongs to the turn of the message before it. */
export const begunBy = (event: Event, turn: number): Message | null => {
  switch (event.type) {
    case "session.message.added":
      return whole(event.data.message);
    case "session.notice":
      return {
        id: messageId(event.seq),
        turn,
        role: "notice",
        text: event.data.text,
        code: event.data.code,
        at: event.at,
      };
    default:
      return null;
  }
};

/** The id of the message that an event changes, if it changes one. */
export const changes = (event: Event): string | null =>
  event.type === "session.message.updated" ||
  event.type === "session.tool.updated"
    ? event.data.id
    : null;

/** A message after an event that is about it. */
export const changedBy = (message: Message, event: Event): Message => {
  switch (event.type) {
    case "session.message.updated":
      return {
        ...message,
        text: event.data.text ?? message.text + (event.data.append ?? ""),
      };
    case "session.tool.updated":
      return {
        ...message,
        text: event.data.tool.title ?? message.text,
        tool: mergeTool(message.tool, event.data.tool),
      };
    default:
      return message;
  }
};

/** Whether nothing is added any more, behind this event, to the text that was being said. */
export const endsText = (event: Event): boolean => {
  switch (event.type) {
    case "session.message.added":
    case "session.tool.updated":
    case "session.turn.started":
    case "session.execution.ended":
      return true;
    default:
      return endsTurn(event);
  }
};

/** Whether nothing that the turn said or did changes any more behind this event. */
export const endsTurn = ({ type }: Event): boolean =>
  type === "session.turn.ended" ||
  type === "session.turn.interrupted" ||
  type === "session.prompt.uncertain";

/** Its tool's output as one, however it was told. */
const whole = (message: Message): Message =>
  message.tool === undefined
    ? message
    : { ...message, tool: mergeTool(undefined, message.tool) };
