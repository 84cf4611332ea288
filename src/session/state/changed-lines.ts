import type { ChangedLines } from "../../contract/session/changed-lines.ts";

/** Lines that the turns of a session changed. */
export interface ChangedSoFar {
  /** Of turns that no rewind left behind; null where that is not known. */
  total: ChangedLines | null;
  /** The newest turns that were counted, whether they were left behind or not. */
  counted: readonly ({ turn: number } & ChangedLines)[];
  /**
   * Those before them together, up to this turn: the sum of those that led to `tip`, the newest of them that was not left behind.
   * Null: the sum is of another line than the session went on with.
   */
  older: ({ up_to: number; tip: number | null } & ChangedLines) | null;
}

export const nothingChanged: ChangedSoFar = {
  total: null,
  counted: [],
  older: null,
};
