/** Somebody who is told what happens: a webhook, the desktop, or a service that forwards notifications. */
import type { WebhookEvent } from "../contract/api/webhook-settings.ts";
import type { Session } from "../contract/session/session.ts";
import type { JournalEvent, Message } from "./message/message.ts";

export interface Channel {
  id: string;
  kind: "webhook" | "desktop" | "push";
  /** Where it sends to; secret, since an address may hold a credential. Null for the desktop. */
  url: string | null;
  /** The types of the events that it may be told of. */
  events: readonly WebhookEvent[];
  wants(event: JournalEvent): boolean;
  /** Whether nobody has to be told any more, by the session as it is now. */
  isSettled(event: JournalEvent, session: Session | null): boolean;
  /** How long to wait after each failure; after one more the event is passed over. */
  pausesMs: readonly number[];
  /** What is older is of no use to anybody; null when everything is. */
  maxAgeMs: number | null;
  /** Why nothing can be sent, in words; null when something can. */
  problem(): Promise<string | null>;
  send(message: Message, signal: AbortSignal): Promise<Outcome>;
}

/** What came of one try. */
export type Outcome =
  | { kind: "delivered"; status: number | null }
  | {
      kind: "failed";
      status: number | null;
      /** For people. It names no address and no secret. */
      error: string;
      /** The receiver asked for this pause. */
      retryAfterMs?: number;
    }
  /** The receiver wants nothing more. */
  | { kind: "gone"; status: number };
