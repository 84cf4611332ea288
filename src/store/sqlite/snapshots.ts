import type { DatabaseSync } from "node:sqlite";
import type { SessionId } from "../../contract/id.ts";
import type { Snapshot } from "../../runtime/ports.ts";
import { number, text } from "./row.ts";

export const snapshotWrites = (db: DatabaseSync) => {
  const put = db.prepare(`
    INSERT INTO snapshots (session_id, version, seq, state) VALUES (?, ?, ?, ?)
    ON CONFLICT (session_id) DO UPDATE SET
      version = excluded.version, seq = excluded.seq, state = excluded.state`);
  return {
    put: (session: SessionId, { version, seq, state }: Snapshot): void => {
      put.run(session, version, seq, state);
    },
  };
};

/** From where a session is folded: its snapshot, or its start. */
export interface Beginning {
  snapshot: Snapshot | null;
  last_seq: number;
}

export const snapshotReads = (db: DatabaseSync) => {
  const one = db.prepare(`
    SELECT version, seq, snapshots.state AS state, last_seq
    FROM sessions LEFT JOIN snapshots ON session_id = sessions.id AND version = ?
    WHERE sessions.id = ?`);
  return {
    beginning: (query: {
      session: SessionId;
      version: number;
    }): Beginning | null => {
      const row = one.get(query.version, query.session);
      if (row === undefined) return null;
      const last_seq = number(row, "last_seq");
      if (row["version"] === null) return { snapshot: null, last_seq };
      return {
        last_seq,
        snapshot: {
          version: number(row, "version"),
          seq: number(row, "seq"),
          state: text(row, "state"),
        },
      };
    },
  };
};
