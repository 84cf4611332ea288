/** What a try makes of a delivery: pure, time and chance are arguments. */
import type { DeliveryTry } from "../contract/api/webhook-route.ts";
import { laterBy } from "../kit/time/elapsed.ts";
import { unreachable } from "../kit/unreachable.ts";
import type {
  Delivery,
  DeliveryProgress,
} from "../runtime/ports/webhook-store.ts";
import type { Outcome } from "./channel.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After each failure (WHK-9). */
export const PAUSES_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** A receiver may ask for so long a pause at most. */
const MAX_PAUSE_MS = 24 * HOUR;
/** By how much a pause may be longer, so that not everything comes back at once. */
const SPREAD = 0.1;

export interface Tried {
  seq: number;
  /** When its outcome was known. */
  at: string;
  outcome: Outcome;
}

export const progressAfter = (
  delivery: Pick<Delivery, "channel" | "subject" | "after_seq" | "failures">,
  { seq, at, outcome }: Tried,
  pausesMs: readonly number[],
  /** In [0, 1). */
  chance: number,
): DeliveryProgress => {
  const { channel, subject, after_seq, failures } = delivery;
  const tried = (
    how: DeliveryTry["outcome"],
    error: string | null,
  ): DeliveryTry => ({ seq, at, outcome: how, status: outcome.status, error });
  const over = { channel, subject, after_seq: seq, failures: 0, next_at: at };
  switch (outcome.kind) {
    case "delivered":
      return { ...over, gave_up: 0, last: tried("delivered", null) };
    case "gone":
      // It is not the event's fault: it gets its tries when the webhook is on again.
      return {
        ...over,
        after_seq,
        gave_up: 0,
        last: tried("failed", "the receiver wants nothing more (410)"),
      };
    case "failed": {
      const pause = pausesMs[failures];
      if (pause === undefined)
        return {
          ...over,
          gave_up: 1,
          last: tried("passed_over", outcome.error),
        };
      const asked = Math.min(outcome.retryAfterMs ?? 0, MAX_PAUSE_MS);
      const pauseMs = Math.max(pause * (1 + SPREAD * chance), asked);
      return {
        ...over,
        after_seq,
        failures: failures + 1,
        next_at: laterBy(at, Math.round(pauseMs)),
        gave_up: 0,
        last: tried("failed", outcome.error),
      };
    }
    default:
      return unreachable(outcome);
  }
};

/** Nobody has to be told of this event any more. */
export const skipped = (
  { channel, subject }: Pick<Delivery, "channel" | "subject">,
  seq: number,
  at: string,
): DeliveryProgress => ({
  channel,
  subject,
  after_seq: seq,
  failures: 0,
  next_at: at,
  gave_up: 0,
  last: null,
});
