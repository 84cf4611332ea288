import type { Event } from "../contract/event/event.ts";
import type { Message } from "../contract/session/message.ts";
import {
  type Conversation,
  conversationOf,
  project,
} from "../session/view/project.ts";

/** The end of a conversation: what can still change, and what stands behind that. The rest is on disk only. */
export class Tail {
  #conversation: Conversation;

  /** Goes on behind `last`, the newest message so far. */
  constructor(last: Message | null) {
    this.#conversation = conversationOf(last === null ? [] : [last]);
  }

  /** At least the newest one, if there is any. */
  get messages(): readonly Message[] {
    return this.#conversation.messages;
  }

  find(id: string): Message | undefined {
    const at = this.#conversation.index.get(id);
    return at === undefined ? undefined : this.#conversation.messages[at];
  }

  /** Folds an event in, and says which message it changed. */
  project(event: Event): Message | null {
    return project(this.#conversation, event);
  }

  /** Lets go of the messages at the front that are as they will stay: whoever calls has them written. */
  takeSettled(isOpen: (message: Message) => boolean): Message[] {
    const { messages } = this.#conversation;
    const open = messages.findIndex(isOpen);
    // The newest stays: a notice belongs to the turn of the message before it.
    const settled = open === -1 ? messages.length - 1 : open;
    if (settled <= 0) return [];
    this.#conversation = conversationOf(messages.slice(settled));
    return messages.slice(0, settled);
  }

  /** Takes back what was let go. */
  takeBack(messages: readonly Message[]): void {
    this.#conversation = conversationOf([
      ...messages,
      ...this.#conversation.messages,
    ]);
  }

  /** The message that an event changes, when it is not held: agents may add to a tool call that was over. */
  missing(event: Event): string | null {
    if (
      event.type !== "session.tool.updated" &&
      event.type !== "session.message.updated"
    )
      return null;
    return this.#conversation.index.has(event.data.id) ? null : event.data.id;
  }
}
