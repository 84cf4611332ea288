/** How far channels got: a row per channel and session or task. Which events are to be sent is in the journals. */
import type { DatabaseSync } from "node:sqlite";
import type {
  DeliveryCounts,
  DeliveryProgress,
  OutboxEntry,
} from "../../../../runtime/ports/webhook-store.ts";
import type { Row } from "../../base/row.ts";

export interface DeliveryRow {
  channel: string;
  subject: string;
  after_seq: number;
  to_seq: number;
  failures: number;
  next_at: string | null;
  passed_over: number;
  /** JSON. */
  last: string | null;
}

export const deliveryWrites = (db: DatabaseSync) => {
  // Where nothing waited, what lies between the last event that was sent and this one is not looked at again.
  const note = db.prepare(`
    INSERT INTO webhook_deliveries (channel, subject, after_seq, to_seq, next_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (channel, subject) DO UPDATE SET
      after_seq = CASE WHEN next_at IS NULL THEN excluded.after_seq ELSE after_seq END,
      to_seq    = excluded.to_seq,
      next_at   = coalesce(next_at, excluded.next_at)`);
  const record = db.prepare(`
    UPDATE webhook_deliveries SET
      after_seq   = max(after_seq, :after_seq),
      failures    = :failures,
      next_at     = CASE WHEN max(after_seq, :after_seq) >= to_seq THEN NULL ELSE :next_at END,
      passed_over = passed_over + :gave_up,
      last        = coalesce(:last, last)
    WHERE channel = :channel AND subject = :subject`);
  const makeDue = db.prepare(
    "UPDATE webhook_deliveries SET next_at = min(next_at, ?) WHERE channel = ? AND next_at IS NOT NULL",
  );
  const keep = db.prepare(
    "DELETE FROM webhook_deliveries WHERE channel NOT IN (SELECT value FROM json_each(?))",
  );
  return {
    note: (subject: string, outbox: readonly OutboxEntry[]): void => {
      for (const { channel, from_seq, to_seq, at } of outbox)
        note.run(channel, subject, from_seq - 1, to_seq, at);
    },
    record: ({ last, ...progress }: DeliveryProgress): void => {
      record.run({
        ...progress,
        last: last === null ? null : JSON.stringify(last),
      });
    },
    makeDue: (channel: string, at: string): void => {
      makeDue.run(at, channel);
    },
    keep: (channels: readonly string[]): void => {
      keep.run(JSON.stringify(channels));
    },
  };
};

export const DUE_DELIVERIES = `
  SELECT * FROM webhook_deliveries
  WHERE channel = ? AND next_at <= ? AND next_at IS NOT NULL ORDER BY next_at, subject LIMIT ?`;
export const NEXT_DELIVERY = `
  SELECT min(next_at) AS at FROM webhook_deliveries WHERE channel = ? AND next_at > ? AND next_at IS NOT NULL`;

export const deliveryReads = (db: DatabaseSync) => {
  const due = db.prepare(DUE_DELIVERIES);
  const next = db.prepare(NEXT_DELIVERY);
  const newest = db.prepare(`
    SELECT * FROM webhook_deliveries WHERE ?1 IS NULL OR channel = ?1
    ORDER BY coalesce(iif(json_valid(last), last ->> 'at', NULL), next_at) DESC, subject DESC LIMIT ?2`);
  const counts = db.prepare(`
    SELECT channel, count(next_at) AS waiting, sum(next_at IS NOT NULL AND failures > 0) AS failing,
      sum(passed_over) AS passed_over
    FROM webhook_deliveries GROUP BY channel`);
  const ofSession = db.prepare(`
    SELECT seq FROM events WHERE session_id = ? AND seq > ? AND seq <= ?
      AND type IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT 1`);
  const ofTask = db.prepare(`
    SELECT seq FROM task_events WHERE task_id = ? AND seq > ? AND seq <= ?
      AND type IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT 1`);
  return {
    due: ({ channel, by, limit }: DueDeliveriesQuery): DeliveryRow[] =>
      due.all(channel, by, limit).map(deliveryRow),
    nextAt: ({
      channel,
      after,
    }: {
      channel: string;
      after: string;
    }): string | null => textOrNull(next.get(channel, after)?.["at"]),
    newest: ({ channel, limit }: DeliveriesQuery): DeliveryRow[] =>
      newest.all(channel, limit).map(deliveryRow),
    counts: (): DeliveryCounts[] =>
      counts.all().map((row) => ({
        channel: String(row["channel"]),
        waiting: Number(row["waiting"]),
        failing: Number(row["failing"]),
        passed_over: Number(row["passed_over"]),
      })),
    nextEvent: (query: NextEventQuery): number | null => {
      const { subject, after, up_to, types } = query;
      const found = (subject.startsWith("tsk_") ? ofTask : ofSession).get(
        subject,
        after,
        up_to,
        JSON.stringify(types),
      );
      return found === undefined ? null : Number(found["seq"]);
    },
  };
};

export interface DueDeliveriesQuery {
  channel: string;
  by: string;
  limit: number;
}

export interface DeliveriesQuery {
  channel: string | null;
  limit: number;
}

export interface NextEventQuery {
  subject: string;
  after: number;
  up_to: number;
  types: readonly string[];
}

/** A row that is damaged ends no list: whoever gets it sees what is in it. */
const deliveryRow = (row: Row): DeliveryRow => ({
  channel: String(row["channel"]),
  subject: String(row["subject"]),
  after_seq: Number(row["after_seq"]),
  to_seq: Number(row["to_seq"]),
  failures: Number(row["failures"]),
  next_at: textOrNull(row["next_at"]),
  passed_over: Number(row["passed_over"]),
  last: textOrNull(row["last"]),
});

const textOrNull = (value: unknown): string | null =>
  typeof value === "string" ? value : null;
