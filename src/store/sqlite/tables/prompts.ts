import type { DatabaseSync } from "node:sqlite";
import { rowChecksum } from "../../checksum.ts";
import { isSound, nullable, number, text } from "../base/row.ts";

/** In the order of the checksum, which must not change. */
const columns = ["id", "session_id", "seq", "turn", "state"] as const;
const all = [...columns, "checksum"].join(", ");

export const promptWrites = (db: DatabaseSync) => {
  const put = db.prepare(`
    INSERT INTO prompts (${all}) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
      seq = excluded.seq, turn = excluded.turn, state = excluded.state, checksum = excluded.checksum`);
  const one = db.prepare(
    `SELECT ${all} FROM prompts WHERE id = ? AND session_id = ?`,
  );
  const owner = db.prepare("SELECT session_id FROM prompts WHERE id = ?");
  const clear = db.prepare("DELETE FROM prompts WHERE session_id = ?");

  const seqOf = (id: string, session: string): number | null => {
    const row = one.get(id, session);
    if (row === undefined) throw new Error(`prompt ${id} was never given`);
    return isSound(row, columns) ? number(row, "seq") : null;
  };

  return {
    ownerOf: (id: string): string | null => {
      const row = owner.get(id);
      return row === undefined ? null : text(row, "session_id");
    },
    change: (
      session: string,
      {
        id,
        turn,
        state,
        seq,
      }: { id: string; turn: number | null; state: string; seq?: number },
    ): void => {
      const journalSeq = seq ?? seqOf(id, session);
      // A row that is damaged stays so: whoever reads it makes it again from the journal.
      const checksum =
        journalSeq === null
          ? ""
          : rowChecksum(id, session, journalSeq, turn, state);
      put.run(id, session, journalSeq ?? 0, turn, state, checksum);
    },
    clear: (session: string): void => {
      clear.run(session);
    },
  };
};

export interface PromptRow {
  /** The event that admitted it and holds its text. */
  seq: number;
  turn: number | null;
  state: string;
}

export const promptReads = (db: DatabaseSync) => {
  const one = db.prepare(
    `SELECT ${all} FROM prompts WHERE id = ? AND session_id = ?`,
  );
  return {
    one: (query: {
      session: string;
      id: string;
    }): PromptRow | "damaged row" | null => {
      const row = one.get(query.id, query.session);
      if (row === undefined) return null;
      if (!isSound(row, columns)) return "damaged row";
      return {
        seq: number(row, "seq"),
        turn: nullable(number, row, "turn"),
        state: text(row, "state"),
      };
    },
  };
};
