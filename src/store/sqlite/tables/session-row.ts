import { rowChecksum } from "../../checksum.ts";
import { isSound, nullable, number, text, type Row } from "../base/row.ts";

/** What an append says of its session. */
export interface SessionRow {
  id: string;
  task_id: string | null;
  cwd: string;
  state: string;
  deleted_at: string | null;
  last_active_at: string;
  last_seq: number;
  /** What lists show of the session, as JSON. */
  view: string;
  last_wish_at: string;
  /** The key of the place that it works at. */
  place: string;
}

/** What the writing thread adds: how the journal stands that the row belongs to. */
export interface JournalEnd {
  /** The chain up to the newest event. */
  head: string;
  /** How many events tell of checkpoints. */
  checkpoints: number;
  /** The first event that cannot be trusted, once that is known. */
  damaged_from: number | null;
}

export type WholeSessionRow = SessionRow & JournalEnd;

/** In the order of the checksum: add at the end, and compute the checksums again in a migration. */
const columns = [
  "id",
  "task_id",
  "cwd",
  "state",
  "deleted_at",
  "last_active_at",
  "last_seq",
  "view",
  "head",
  "checkpoints",
  "damaged_from",
  "last_wish_at",
  "place",
] as const;

export const sessionColumns: readonly string[] = [...columns, "checksum"];

/** The values of `sessionColumns`. */
export const sessionValues = (
  row: WholeSessionRow,
): (string | number | null)[] => {
  const values = columns.map((name) => row[name]);
  return [...values, rowChecksum(...values)];
};

export const isSoundSession = (row: Row): boolean => isSound(row, columns);

/** Null when the row is not what was written. */
export const sessionRowOf = (row: Row): WholeSessionRow | null =>
  isSoundSession(row)
    ? {
        id: text(row, "id"),
        task_id: nullable(text, row, "task_id"),
        cwd: text(row, "cwd"),
        state: text(row, "state"),
        deleted_at: nullable(text, row, "deleted_at"),
        last_active_at: text(row, "last_active_at"),
        last_seq: number(row, "last_seq"),
        view: text(row, "view"),
        head: text(row, "head"),
        checkpoints: number(row, "checkpoints"),
        damaged_from: nullable(number, row, "damaged_from"),
        last_wish_at: text(row, "last_wish_at"),
        place: text(row, "place"),
      }
    : null;
