import type { ChangedLines } from "../../contract/session/changed-lines.ts";

/** Lines that the turns of a session changed. */
export interface ChangedSoFar {
  /** Of turns that no rewind left behind; null where that is not known. */
  total: ChangedLines | null;
  /** The newest turns that were counted, whether they were left behind or not. */
  counted: readonly ({ turn: number } & ChangedLines)[];
  /** All before them together, up to this turn. */
  older: ({ up_to: number } & ChangedLines) | null;
}

export const nothingChanged: ChangedSoFar = {
  total: null,
  counted: [],
  older: null,
};
