import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { chainAfter } from "../../checksum.ts";
import { text } from "../base/row.ts";

export interface EventRow {
  seq: number;
  type: string;
  at: string;
  /** The whole event as JSON. */
  body: string;
}

/** An event in its place: with the chain up to it. */
export interface ChainedRow extends EventRow {
  chain: string;
}

export const chained = (
  before: string,
  events: readonly EventRow[],
): ChainedRow[] => {
  let chain = before;
  return events.map((event) => {
    chain = chainAfter(chain, event.body);
    return { ...event, chain };
  });
};

/** A longer body lies in `blobs` under its hash, once however often it occurs, and scans of the journal stay short. */
export const INLINE_BYTES = 64 * 1024;

/** The events that tell of checkpoints; an index holds them. */
export const CHECKPOINT_TYPES: ReadonlySet<string> = new Set([
  "session.checkpoint.saved",
  "session.checkpoint.partial",
  "session.checkpoint.failed",
]);

export const eventWrites = (db: DatabaseSync) => {
  const insert = db.prepare(
    "INSERT INTO events (session_id, seq, type, at, body, blob, chain) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const keep = db.prepare(
    "INSERT INTO blobs (sha256, body) VALUES (?, ?) ON CONFLICT DO NOTHING",
  );
  const chain = db.prepare(
    "SELECT chain FROM events WHERE session_id = ? AND seq = ?",
  );
  const newest = db.prepare(
    "SELECT seq FROM events WHERE session_id = ? ORDER BY seq DESC LIMIT 1",
  );
  const checkpoints = db.prepare(`
    SELECT count(*) AS count FROM events WHERE session_id = ?
      AND type IN ('session.checkpoint.saved', 'session.checkpoint.partial', 'session.checkpoint.failed')`);
  return {
    add: (
      session: string,
      { seq, type, at, body, chain }: ChainedRow,
    ): void => {
      if (!isLong(body)) {
        insert.run(session, seq, type, at, body, null, chain);
        return;
      }
      const sha256 = createHash("sha256").update(body).digest("hex");
      keep.run(sha256, body);
      insert.run(session, seq, type, at, null, sha256, chain);
    },
    chainAt: (session: string, seq: number): string | null => {
      const row = chain.get(session, seq);
      return row === undefined ? null : text(row, "chain");
    },
    lastSeq: (session: string): number =>
      Number(newest.get(session)?.["seq"] ?? 0),
    countCheckpoints: (session: string): number =>
      Number(checkpoints.get(session)?.["count"] ?? 0),
  };
};

/** Most bodies are too short to need counting: a character takes one to three bytes. */
const isLong = (body: string): boolean =>
  body.length * 3 > INLINE_BYTES && Buffer.byteLength(body) > INLINE_BYTES;
