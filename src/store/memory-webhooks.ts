/** What channels are to be told, of the store in memory. */
import type {
  Delivery,
  OutboxEntry,
  SubjectId,
  SwitchedOff,
  WebhookStore,
} from "../runtime/ports/webhook-store.ts";
import { compared } from "./memory-lists.ts";
import { refuseTerm, type Refusal } from "./refusal.ts";

interface Parts {
  /** Refuses when the store is closed. */
  open: () => void;
  refuse: (refusal: Refusal | null) => void;
  /** The newest term. */
  term: () => number;
  /** Every event of a session or a task, in order. */
  eventsOf: (subject: SubjectId) => Promise<{ seq: number; type: string }[]>;
}

export const memoryWebhooks = ({ open, refuse, term, eventsOf }: Parts) => {
  const rows = new Map<string, Delivery>();
  const off = new Map<string, SwitchedOff>();
  const write = (by: number): void => {
    open();
    refuse(refuseTerm(by, term()));
  };
  const waiting = (channel: string): (Delivery & { next_at: string })[] =>
    [...rows.values()].flatMap((row) =>
      row.channel === channel && row.next_at !== null
        ? [{ ...row, next_at: row.next_at }]
        : [],
    );

  const store: WebhookStore = {
    async dueDeliveries(channel, by, limit) {
      open();
      return waiting(channel)
        .filter(({ next_at }) => next_at <= by)
        .sort(
          (a, b) =>
            compared(a.next_at, b.next_at) || compared(a.subject, b.subject),
        )
        .slice(0, limit);
    },
    async nextDeliveryAt(channel, after) {
      open();
      const times = waiting(channel).map(({ next_at }) => next_at);
      return times.filter((at) => at > after).toSorted()[0] ?? null;
    },
    async deliveries({ channel, limit }) {
      open();
      const newest = ({ last, next_at }: Delivery) => last?.at ?? next_at ?? "";
      return [...rows.values()]
        .filter((row) => channel === null || row.channel === channel)
        .sort((a, b) => compared(newest(b), newest(a)))
        .slice(0, limit)
        .map((row) => ({ ...row }));
    },
    async deliveryCounts() {
      open();
      const channels = new Set([...rows.values()].map((row) => row.channel));
      return [...channels].map((channel) => ({
        channel,
        waiting: waiting(channel).length,
        failing: waiting(channel).filter(({ failures }) => failures > 0).length,
        passed_over: [...rows.values()]
          .filter((row) => row.channel === channel)
          .reduce((sum, row) => sum + row.passed_over, 0),
      }));
    },
    async nextEventOf(subject, after, up_to, types) {
      open();
      const found = (await eventsOf(subject)).find(
        ({ seq, type }) => seq > after && seq <= up_to && types.includes(type),
      );
      return found?.seq ?? null;
    },
    async recordDelivery(by, progress) {
      write(by);
      const row = rows.get(keyOf(progress));
      if (row === undefined) return;
      row.after_seq = Math.max(row.after_seq, progress.after_seq);
      row.failures = progress.failures;
      row.next_at = row.after_seq >= row.to_seq ? null : progress.next_at;
      row.passed_over += progress.gave_up;
      row.last = progress.last ?? row.last;
    },
    async makeDeliveriesDue(by, channel, at) {
      write(by);
      for (const row of rows.values())
        if (row.channel === channel && row.next_at !== null && row.next_at > at)
          row.next_at = at;
    },
    async removeChannelsExcept(by, channels) {
      write(by);
      for (const [key, row] of rows)
        if (!channels.includes(row.channel)) rows.delete(key);
      for (const channel of off.keys())
        if (!channels.includes(channel)) off.delete(channel);
    },
    async switchedOff() {
      open();
      return [...off.values()].map((each) => ({ ...each }));
    },
    async switchOff(by, switched) {
      write(by);
      off.set(switched.channel, { ...switched });
    },
    async switchOn(by, channel) {
      write(by);
      off.delete(channel);
    },
  };

  return {
    store,
    note: (subject: SubjectId, outbox: readonly OutboxEntry[] = []): void => {
      for (const { channel, from_seq, to_seq, at } of outbox) {
        const known = rows.get(keyOf({ channel, subject }));
        const before = known?.next_at == null ? null : known;
        rows.set(keyOf({ channel, subject }), {
          channel,
          subject,
          after_seq: before?.after_seq ?? from_seq - 1,
          to_seq,
          failures: known?.failures ?? 0,
          next_at: before?.next_at ?? at,
          passed_over: known?.passed_over ?? 0,
          last: known?.last ?? null,
        });
      }
    },
    /** The session is gone. */
    drop: (subject: SubjectId): void => {
      for (const [key, row] of rows)
        if (row.subject === subject) rows.delete(key);
    },
  };
};

const keyOf = ({ channel, subject }: { channel: string; subject: string }) =>
  JSON.stringify([channel, subject]);
