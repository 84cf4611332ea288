import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { SessionId } from "../../contract/id.ts";
import { text } from "./row.ts";

export interface EventRow {
  seq: number;
  type: string;
  at: string;
  /** The whole event as JSON. */
  body: string;
}

/** A longer body lies in `blobs` under its hash, once however often it occurs, and scans of the journal stay short. */
export const INLINE_BYTES = 64 * 1024;

/** A page ends at whichever comes first, so that no reader holds the thread, or the memory, for long. */
const PAGE_EVENTS = 2000;
const PAGE_CHARACTERS = 1024 * 1024;

export const eventWrites = (db: DatabaseSync) => {
  const insert = db.prepare(
    "INSERT INTO events (session_id, seq, type, at, body, blob) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const keep = db.prepare(
    "INSERT INTO blobs (sha256, body) VALUES (?, ?) ON CONFLICT DO NOTHING",
  );
  return {
    add: (session: SessionId, { seq, type, at, body }: EventRow): void => {
      if (!isLong(body)) {
        insert.run(session, seq, type, at, body, null);
        return;
      }
      const sha256 = createHash("sha256").update(body).digest("hex");
      keep.run(sha256, body);
      insert.run(session, seq, type, at, null, sha256);
    },
  };
};

export interface EventPage {
  bodies: string[];
  /** There may be more: the page was cut before the limit that was asked for. */
  more: boolean;
}

export const eventReads = (db: DatabaseSync) => {
  const after = db.prepare(`
    SELECT coalesce(events.body, blobs.body) AS body
    FROM events LEFT JOIN blobs ON blobs.sha256 = events.blob
    WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?`);
  const ofCheckpoints = `
    SELECT coalesce(events.body, blobs.body) AS body
    FROM events LEFT JOIN blobs ON blobs.sha256 = events.blob
    WHERE type IN ('session.checkpoint.saved', 'session.checkpoint.partial', 'session.checkpoint.failed')`;
  const checkpointsOfOne = db.prepare(
    `${ofCheckpoints} AND session_id = ? ORDER BY seq`,
  );
  const checkpointsOfAll = db.prepare(
    `${ofCheckpoints} ORDER BY session_id, seq`,
  );
  return {
    checkpoints: (session: SessionId | null): string[] =>
      (session === null
        ? checkpointsOfAll.all()
        : checkpointsOfOne.all(session)
      ).map((row) => text(row, "body")),
    page: (query: {
      session: SessionId;
      after: number;
      limit: number;
    }): EventPage => {
      const most = Math.min(query.limit, PAGE_EVENTS);
      const bodies: string[] = [];
      let characters = 0;
      for (const row of after.iterate(query.session, query.after, most)) {
        const body = text(row, "body");
        bodies.push(body);
        characters += body.length;
        if (characters >= PAGE_CHARACTERS) break;
      }
      const cut = bodies.length === most || characters >= PAGE_CHARACTERS;
      return { bodies, more: cut && bodies.length < query.limit };
    },
  };
};

/** Most bodies are too short to need counting: a character takes one to three bytes. */
const isLong = (body: string): boolean =>
  body.length * 3 > INLINE_BYTES && Buffer.byteLength(body) > INLINE_BYTES;
