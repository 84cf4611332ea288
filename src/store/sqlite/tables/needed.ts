/** What must be kept for checkpoints: a row for each event that tells of one. */
import type { DatabaseSync } from "node:sqlite";
import { LOCAL, placeKey } from "../../../contract/base/place-key.ts";
import { rowChecksum } from "../../checksum.ts";
import { unlessDamaged } from "../base/failure.ts";
import { isSound, nullable, number, text, type Row } from "../base/row.ts";

export interface CheckpointRow {
  seq: number;
  id: string;
  turn: number;
  kind: string;
  tree: string | null;
  agent_state: string | null;
  /** The key of the place whose vault holds it. Null where an older release has written the row: this machine. */
  place: string | null;
}

/** In the order of the checksum, which must not change. What has no place has the checksum that it had before there were any. */
const columns = [
  "session_id",
  "seq",
  "id",
  "turn",
  "kind",
  "tree",
  "agent_state",
] as const;
const placed = [...columns, "place"] as const;

const checked = (place: unknown) => (place === null ? columns : placed);

export const neededWrites = (db: DatabaseSync) => {
  const put = db.prepare(`
    INSERT OR REPLACE INTO checkpoints (${placed.join(", ")}, checksum)
    VALUES (${placed.map(() => "?").join(", ")}, ?)`);
  const clear = db.prepare("DELETE FROM checkpoints WHERE session_id = ?");
  return {
    put: (session_id: string, row: CheckpointRow): void => {
      const whole = { session_id, ...row };
      const sum = rowChecksum(...checked(row.place).map((name) => whole[name]));
      put.run(...placed.map((name) => whole[name]), sum);
    },
    clear: (session: string): void => {
      clear.run(session);
    },
  };
};

export interface NeededPage {
  sessions: { session: string; rows: CheckpointRow[] }[];
  /** Sessions of which more, or others, were written: their journals have to be read. */
  doubtful: string[];
  /** The last session that was looked at; null when there are no others. */
  last: string | null;
}

/** There must be as many rows as the session's row counts: a table that has lost one looks like one that never had it. */
export const neededReads = (db: DatabaseSync) => {
  const ids = db.prepare(NEEDED_SESSIONS);
  const count = db.prepare(
    "SELECT checkpoints, damaged_from FROM sessions WHERE id = ?",
  );
  const rows = db.prepare(`
    SELECT ${placed.join(", ")}, checksum FROM checkpoints WHERE session_id = ? ORDER BY seq`);

  /** Null where it cannot be trusted. The count is read first: appends in between make more rows, never fewer. */
  const ofOne = (session: string): CheckpointRow[] | null => {
    const counted = count.get(session);
    const expected = counted === undefined ? 0 : number(counted, "checkpoints");
    const found = rows.all(session);
    const isKnown =
      found.length > 0 || (counted?.["damaged_from"] ?? null) === null;
    return isKnown &&
      found.length >= expected &&
      found.every((row) => isSound(row, checked(row["place"])))
      ? found.map(checkpointRow)
      : null;
  };

  return {
    /** The key of the place that holds the newest checkpoint of a session, as far as a sound row tells. */
    placeOf: (session: string): string | null => {
      const sound = unlessDamaged(() =>
        rows
          .all(session)
          .filter((row) => isSound(row, checked(row["place"])))
          .map(checkpointRow)
          .at(-1),
      );
      return sound ? (sound.place ?? placeKey(LOCAL)) : null;
    },
    page: ({
      after,
      limit,
    }: {
      after: string | null;
      limit: number;
    }): NeededPage => {
      const found = ids.all(after ?? "", after ?? "", limit);
      const sessions = found.map((row) => text(row, "id"));
      const page: NeededPage = {
        sessions: [],
        doubtful: [],
        last: sessions.length < limit ? null : (sessions.at(-1) ?? null),
      };
      for (const session of sessions) {
        const known = unlessDamaged(() => ofOne(session));
        if (known === null) page.doubtful.push(session);
        else if (known.length > 0) page.sessions.push({ session, rows: known });
      }
      return page;
    },
  };
};

/** Also those whose own row is lost: what their checkpoints need is not free for that. */
export const NEEDED_SESSIONS = `
  SELECT id FROM sessions WHERE id > ?
  UNION SELECT session_id FROM checkpoints WHERE session_id > ?
  ORDER BY 1 LIMIT ?`;

const checkpointRow = (row: Row): CheckpointRow => ({
  seq: number(row, "seq"),
  id: text(row, "id"),
  turn: number(row, "turn"),
  kind: text(row, "kind"),
  tree: nullable(text, row, "tree"),
  agent_state: nullable(text, row, "agent_state"),
  place: nullable(text, row, "place"),
});
