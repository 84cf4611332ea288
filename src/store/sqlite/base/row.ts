/** Columns of a row as what they must be. */
import type { SQLOutputValue } from "node:sqlite";
import { rowChecksum } from "../../checksum.ts";

export type Row = Record<string, SQLOutputValue>;

/** Only damage puts another kind of value into a column than its table asks for. */
export class DamagedColumn extends Error {}

export const text = (row: Row, column: string): string => {
  const value = row[column];
  if (typeof value === "string") return value;
  throw new DamagedColumn(`column ${column} holds no text`);
};

export const number = (row: Row, column: string): number => {
  const value = row[column];
  if (typeof value === "number") return value;
  throw new DamagedColumn(`column ${column} holds no number`);
};

export const nullable = <T>(
  read: (row: Row, column: string) => T,
  row: Row,
  column: string,
): T | null => (row[column] === null ? null : read(row, column));

/** Whether these columns are what they were when the row was written. */
export const isSound = (row: Row, columns: readonly string[]): boolean =>
  columns.every((name) => name in row) &&
  row["checksum"] === rowChecksum(...columns.map((name) => plain(row, name)));

/** A value as checksums take it. */
export const plain = (row: Row, column: string): string | number | null => {
  const value = row[column] ?? null;
  return value === null ||
    typeof value === "string" ||
    typeof value === "number"
    ? value
    : String(value);
};
