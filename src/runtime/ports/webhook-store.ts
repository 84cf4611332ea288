/** What the senders of webhooks and notifications need of a store: what waits to be sent, and how far each channel got. */
import type { SessionId, TaskId } from "../../contract/base/id.ts";
import type { Event } from "../../contract/event/event.ts";
import type { TaskEvent } from "../../contract/task/task-event.ts";
import type { DeliveryTry } from "../../contract/api/webhook-route.ts";

/** What has a journal that channels are told of. */
export type SubjectId = SessionId | TaskId;

/** An entry of the outbox: a channel is to be told of some events of an append. It becomes durable with them. */
export interface OutboxEntry {
  channel: string;
  /** The first and the last event of an append that it is to be told of. */
  from_seq: number;
  to_seq: number;
  /** When the last one happened. */
  at: string;
}

/** Which channels are to be told of the events of one append. */
export type OutboxEntriesOf = (
  events: readonly (Event | TaskEvent)[],
) => readonly OutboxEntry[];

/** How far a channel got with one session or task. */
export interface Delivery {
  channel: string;
  subject: SubjectId;
  /** Everything up to this event was sent or passed over. */
  after_seq: number;
  /** The newest event to be sent. */
  to_seq: number;
  /** How often the next event was tried in vain. */
  failures: number;
  /** When it is tried next; null when nothing waits. */
  next_at: string | null;
  /** How many events were given up. */
  passed_over: number;
  last: DeliveryTry | null;
}

/** What a try changes of it. */
export interface DeliveryProgress extends Pick<
  Delivery,
  "channel" | "subject" | "after_seq" | "failures"
> {
  /** When the next try is, if anything waits then. */
  next_at: string;
  /** How many events this try has given up. */
  gave_up: number;
  /** Null where nothing was tried: the one before stays. */
  last: DeliveryTry | null;
}

/** What of a channel waits, failed and was given up, over all sessions and tasks. */
export interface DeliveryCounts {
  channel: string;
  waiting: number;
  failing: number;
  passed_over: number;
}

export interface SwitchedOff {
  channel: string;
  url: string;
  at: string;
}

/** Refusals are those of `Store`. Everything that resolves is durable. */
export interface WebhookStore {
  /** Those with something to send by this time, the longest due first. */
  dueDeliveries(
    channel: string,
    by: string,
    limit: number,
  ): Promise<Delivery[]>;
  /** When the next one after this time is due. */
  nextDeliveryAt(channel: string, after: string): Promise<string | null>;
  /** The newest first. */
  deliveries(query: {
    channel: string | null;
    limit: number;
  }): Promise<Delivery[]>;
  deliveryCounts(): Promise<DeliveryCounts[]>;
  /** The first event of these types between two numbers: after the first, up to the second. */
  nextEventOf(
    subject: SubjectId,
    after: number,
    up_to: number,
    types: readonly string[],
  ): Promise<number | null>;
  recordDelivery(term: number, progress: DeliveryProgress): Promise<void>;
  /** What waits for a channel is due now. */
  makeDeliveriesDue(term: number, channel: string, at: string): Promise<void>;
  /** Forgets all channels but these. */
  removeChannelsExcept(
    term: number,
    channels: readonly string[],
  ): Promise<void>;
  switchedOff(): Promise<SwitchedOff[]>;
  switchOff(term: number, off: SwitchedOff): Promise<void>;
  switchOn(term: number, channel: string): Promise<void>;
}
