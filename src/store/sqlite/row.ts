/** Columns of a row as what they must be. */
import type { SQLOutputValue } from "node:sqlite";

type Row = Record<string, SQLOutputValue>;

export const text = (row: Row, column: string): string => {
  const value = row[column];
  if (typeof value === "string") return value;
  throw new TypeError(`column ${column} holds no text`);
};

export const number = (row: Row, column: string): number => {
  const value = row[column];
  if (typeof value === "number") return value;
  throw new TypeError(`column ${column} holds no number`);
};

export const nullable = <T>(
  read: (row: Row, column: string) => T,
  row: Row,
  column: string,
): T | null => (row[column] === null ? null : read(row, column));
