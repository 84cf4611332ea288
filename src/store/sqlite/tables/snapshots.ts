import type { DatabaseSync } from "node:sqlite";
import type { Snapshot } from "../../../runtime/ports/store.ts";
import { rowChecksum } from "../../checksum.ts";
import { isDamage } from "../base/failure.ts";
import { sessionReads } from "./sessions.ts";

/** States, and lines: each a fold of the journal up to an event. */
type Table = "snapshots" | "lines";

export const snapshotWrites = (
  db: DatabaseSync,
  table: Table = "snapshots",
) => {
  const put = db.prepare(`
    INSERT INTO ${table} (session_id, version, seq, state, checksum) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (session_id, version) DO UPDATE SET
      seq = excluded.seq, state = excluded.state, checksum = excluded.checksum`);
  const drop = db.prepare(`
    DELETE FROM ${table} WHERE session_id = ?1 AND version <> ?2
      AND version < (SELECT max(version) FROM ${table} WHERE session_id = ?1 AND version <> ?2)`);
  return {
    /**
     * `head`: the chain up to the event after which the snapshot was taken. One other version is left, the newest: it is
     * that of the release before or after.
     */
    put: (session: string, snapshot: Snapshot, head: string): void => {
      const { version, seq, state } = snapshot;
      const checksum = snapshotChecksum(session, snapshot, head);
      put.run(session, version, seq, state, checksum);
      drop.run(session, version);
    },
  };
};

/** From where a session is folded: its snapshot, or its start. */
export interface Beginning {
  snapshot: Snapshot | null;
  last_seq: number;
  damaged_from: number | null;
}

/** A snapshot that is damaged, or belongs to another journal than the one that is there, is as good as none. */
export const snapshotReads = (db: DatabaseSync, table: Table = "snapshots") => {
  const sessions = sessionReads(db);
  const one = db.prepare(`
    SELECT version, ${table}.seq AS seq, state, checksum, chain
    FROM ${table} LEFT JOIN events ON events.session_id = ${table}.session_id AND events.seq = ${table}.seq
    WHERE ${table}.session_id = ? AND version = ?`);

  const read = (session: string, version: number) => {
    try {
      return one.get(session, version) ?? {};
    } catch (error) {
      if (!isDamage(error)) throw error;
      return {};
    }
  };

  const sound = (session: string, version: number): Snapshot | null => {
    const row = read(session, version);
    const { seq, state, chain } = row;
    if (typeof seq !== "number" || typeof state !== "string") return null;
    const snapshot = { version, seq, state };
    return typeof chain === "string" &&
      row["checksum"] === snapshotChecksum(session, snapshot, chain)
      ? snapshot
      : null;
  };

  return {
    sound: ({ session, version }: { session: string; version: number }) =>
      sound(session, version),
    beginning: (query: {
      session: string;
      version: number;
    }): Beginning | "damaged row" | null => {
      const row = sessions.row(query.session);
      if (row === "damaged row") return "damaged row";
      if (row === null) return null;
      const { last_seq, damaged_from } = row;
      const snapshot = sound(query.session, query.version);
      return { snapshot, last_seq, damaged_from };
    },
  };
};

const snapshotChecksum = (
  session: string,
  { version, seq, state }: Snapshot,
  head: string,
): string => rowChecksum(session, version, seq, head, state);
