/**
 * A conversation that begins with its newest window. Events go on behind it, and older windows are put before it.
 *
 * An older window is read while events come, so it may be ahead of them or behind: an update that it has is not made again, and one
 * that it does not have, although it was told already, is made when the window is there.
 */
import type { Event } from "../../contract/event/event.ts";
import type { Message } from "../../contract/session/message.ts";
import {
  changedBy,
  changes,
  type Conversation,
  conversationOf,
  project,
} from "./project.ts";

/** What a server answers with: messages as they were after the event `seq`. */
export interface MessagesAt {
  messages: readonly Message[];
  seq: number;
}

export class WindowFold {
  #conversation: Conversation;
  #seq: number;
  /** Updates of messages that are not here, by the message. */
  readonly #early = new Map<string, Event[]>();
  /** Messages that are further than the events told so far: after which event they are as they are. */
  readonly #ahead = new Map<string, number>();

  constructor({ messages, seq }: MessagesAt) {
    this.#conversation = conversationOf(messages);
    this.#seq = seq;
  }

  /** Oldest first. It is changed by what is folded in. */
  get messages(): readonly Message[] {
    return this.#conversation.messages;
  }

  /** The newest event that was folded in: where to follow from. */
  get seq(): number {
    return this.#seq;
  }

  /** Folds the next event in. Says which message changed. */
  take(event: Event): Message | null {
    if (event.seq <= this.#seq) return null;
    this.#seq = event.seq;
    const id = changes(event);
    if (id === null) return project(this.#conversation, event);
    if (event.seq <= (this.#ahead.get(id) ?? 0)) return null;
    if (this.#conversation.index.has(id))
      return project(this.#conversation, event);
    const early = this.#early.get(id);
    if (early === undefined) this.#early.set(id, [event]);
    else early.push(event);
    return null;
  }

  /** Puts the window before the oldest message here. */
  prepend({ messages, seq }: MessagesAt): void {
    const { index, messages: known } = this.#conversation;
    const older = messages
      .filter(({ id }) => !index.has(id))
      .map((message) => this.#upToDate(message, seq));
    this.#conversation = conversationOf([...older, ...known]);
  }

  /** Lets go of the oldest messages. They come back with the window before the first one that stays. */
  drop(count: number): void {
    this.#conversation = conversationOf(
      this.#conversation.messages.slice(count),
    );
  }

  #upToDate(message: Message, seq: number): Message {
    const { id } = message;
    const early = this.#early.get(id) ?? [];
    this.#early.delete(id);
    if (seq > this.#seq) this.#ahead.set(id, seq);
    return early.filter((event) => event.seq > seq).reduce(changedBy, message);
  }
}
