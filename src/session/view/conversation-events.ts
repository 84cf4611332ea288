/** What a screen shows of a session between and beside its messages. */
import type { Event, EventType } from "../../contract/event/event.ts";

const SHOWN: ReadonlySet<EventType> = new Set([
  "session.state_changed",
  "session.execution.ended",
  "session.resumed",
  "session.history.injected",
  "session.prompt.delivered",
  "session.prompt.requeued",
  "session.prompt.uncertain",
  "session.prompt.resolved",
  "session.turn.started",
  "session.turn.ended",
  "session.turn.interrupted",
  "session.turn.cancel_requested",
  "session.plan.updated",
  "session.permission.requested",
  "session.permission.answered",
  "session.permission.closed",
  "session.usage",
  "session.checkpoint.skipped",
  "session.checkpoint.saved",
  "session.checkpoint.partial",
  "session.checkpoint.failed",
  "session.budget.reached",
  "session.quota.filled",
  "session.quota.passed_over",
  "session.forked",
  "session.rewound",
  "session.rewind.failed",
  "session.handed_off",
  "session.imported",
  "session.ended",
]);

/** Takes the events of a part of the journal, and keeps those that are shown. */
export class ConversationEvents {
  readonly #kept = new Map<number | string, Event>();

  take(event: Event): void {
    if (!SHOWN.has(event.type)) return;
    const key = keyOf(event);
    // Behind what came since.
    this.#kept.delete(key);
    this.#kept.set(key, event);
  }

  /** In order, of those with `from <= seq < before`. */
  between(from: number, before: number): Event[] {
    return [...this.#kept.values()].filter(
      ({ seq }) => seq >= from && seq < before,
    );
  }
}

/** Of plans and of usage the newest one of each turn counts: agents tell them often. */
const keyOf = (event: Event): number | string =>
  event.type === "session.plan.updated" || event.type === "session.usage"
    ? `${event.type} ${event.data.turn}`
    : event.seq;
