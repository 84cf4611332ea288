/** A folded line as it rests in the store. */
import type { Line } from "../state/line.ts";

/** Raise it when the shape of a line changes, or what an event makes of it. */
export const LINE_VERSION = 2;

export const writeLine = (line: Line): string => JSON.stringify(line);

export const readLine = (text: string): Line => {
  const value: unknown = JSON.parse(text);
  if (!isLine(value)) throw new Error("what was saved is no line");
  return value;
};

/** The version and the checksum that it is stored under vouch for its shape, so only its kind is looked at. */
const isLine = (value: unknown): value is Line =>
  typeof value === "object" &&
  value !== null &&
  "entries" in value &&
  "knows" in value;
