import type { DatabaseSync } from "node:sqlite";
import { rowChecksum } from "../../checksum.ts";
import { isSound, nullable, number, text } from "../base/row.ts";

/** In the order of the checksum, which must not change. */
const columns = [
  "session_id",
  "id",
  "seq",
  "state",
  "option_id",
  "reason",
] as const;
const all = [...columns, "checksum"].join(", ");

interface PermissionRowChange extends Omit<PermissionRow, "seq"> {
  id: string;
  seq?: number;
}

export const permissionWrites = (db: DatabaseSync) => {
  const put = db.prepare(`
    INSERT INTO permissions (${all}) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (session_id, id) DO UPDATE SET
      seq = excluded.seq, state = excluded.state, option_id = excluded.option_id, reason = excluded.reason,
      checksum = excluded.checksum`);
  const one = db.prepare(
    `SELECT ${all} FROM permissions WHERE session_id = ? AND id = ?`,
  );
  const clear = db.prepare("DELETE FROM permissions WHERE session_id = ?");

  const seqOf = (session: string, id: string): number | null => {
    const row = one.get(session, id);
    if (row === undefined) throw new Error(`permission ${id} was never asked`);
    return isSound(row, columns) ? number(row, "seq") : null;
  };

  return {
    change: (session: string, change: PermissionRowChange): void => {
      const { id, state, option_id, reason } = change;
      const journalSeq = change.seq ?? seqOf(session, id);
      // A row that is damaged stays so: whoever reads it makes it again from the journal.
      const checksum =
        journalSeq === null
          ? ""
          : rowChecksum(session, id, journalSeq, state, option_id, reason);
      put.run(session, id, journalSeq ?? 0, state, option_id, reason, checksum);
    },
    clear: (session: string): void => {
      clear.run(session);
    },
  };
};

export interface PermissionRow {
  /** The event in which it was asked. */
  seq: number;
  state: string;
  option_id: string | null;
  reason: string | null;
}

export const permissionReads = (db: DatabaseSync) => {
  const one = db.prepare(
    `SELECT ${all} FROM permissions WHERE session_id = ? AND id = ?`,
  );
  return {
    one: (query: {
      session: string;
      id: string;
    }): PermissionRow | "damaged row" | null => {
      const row = one.get(query.session, query.id);
      if (row === undefined) return null;
      if (!isSound(row, columns)) return "damaged row";
      return {
        seq: number(row, "seq"),
        state: text(row, "state"),
        option_id: nullable(text, row, "option_id"),
        reason: nullable(text, row, "reason"),
      };
    },
  };
};
