/** The conversation, folded from events: by the server for `messages`, by clients for the screen. */
import type { Event } from "../contract/event.ts";
import { messageId } from "../contract/id.ts";
import type { Message } from "../contract/message.ts";
import { mergeTool } from "../contract/tool.ts";

export interface Conversation {
  readonly messages: Message[];
  /** Where each message stands in `messages`. */
  readonly index: Map<string, number>;
}

export const emptyConversation = (): Conversation => ({
  messages: [],
  index: new Map(),
});

/** Folds an event in. The conversation is changed in place: it can be long, and it has one owner. Says which message changed. */
export const project = (
  conversation: Conversation,
  event: Event,
): Message | null => {
  switch (event.type) {
    case "session.message.added":
      return add(conversation, whole(event.data.message));
    case "session.message.updated":
      return change(conversation, event.data.id, (message) => ({
        ...message,
        text: event.data.text ?? message.text + (event.data.append ?? ""),
      }));
    case "session.tool.updated":
      return change(conversation, event.data.id, (message) => ({
        ...message,
        text: event.data.tool.title ?? message.text,
        tool: mergeTool(message.tool, event.data.tool),
      }));
    case "session.notice":
      return add(conversation, {
        id: messageId(event.seq),
        turn: conversation.messages.at(-1)?.turn ?? 0,
        role: "notice",
        text: event.data.text,
        at: event.at,
      });
    default:
      return null;
  }
};

/** Its tool's output as one, however it was told. */
const whole = (message: Message): Message =>
  message.tool?.more_output === undefined
    ? message
    : { ...message, tool: mergeTool(undefined, message.tool) };

const add = (conversation: Conversation, message: Message): Message => {
  conversation.index.set(message.id, conversation.messages.length);
  conversation.messages.push(message);
  return message;
};

const change = (
  { messages, index }: Conversation,
  id: string,
  to: (message: Message) => Message,
): Message | null => {
  const at = index.get(id);
  const message = at === undefined ? undefined : messages[at];
  if (at === undefined || message === undefined) return null;
  const changed = to(message);
  messages[at] = changed;
  return changed;
};
