/** The part of a conversation that a screen opens with: a client reads it and follows from its `seq`. */
import * as z from "zod";
import { endpoint } from "./route-table.ts";
import { Event, type Event as AnyEvent } from "../event/event.ts";
import { Message } from "../session/message.ts";
import { MessageId } from "../base/id.ts";
import { wholeNumber } from "./request.ts";

export const WindowQuery = z.strictObject({
  /** The `previous` of a newer window; without it, the newest messages. */
  before: MessageId.optional(),
  /** A window has fewer messages when they are long. */
  limit: wholeNumber(1, 1000).default(100),
});
export type WindowQuery = z.infer<typeof WindowQuery>;

export const ConversationWindow = z.object({
  /** Oldest first, as they were after the event `seq`. */
  messages: z.array(Message),
  /**
   * What happened from the first of these messages on, up to `seq` or to the next newer window, besides what the messages show: turns,
   * plans, permissions, checkpoints, deaths and resumes. The window with the first message begins with the first event.
   */
  events: z.array(Event),
  /** What `before` takes for the window before this one; null where this one has the first message. */
  previous: MessageId.nullable(),
  /** Following from here goes on without gap or repetition. */
  seq: z.int(),
});
/** With its events by their types, as who made them has them. */
export type ConversationWindow = Omit<
  z.infer<typeof ConversationWindow>,
  "events"
> & { events: AnyEvent[] };

export const windowRoutes = {
  showWindow: {
    ...endpoint("showWindow"),
    summary:
      "The newest part of the conversation, or the part before a message, with what happened meanwhile and the event to follow from",
    query: WindowQuery,
    answer: ConversationWindow,
  },
} as const;
