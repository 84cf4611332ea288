import type { LineFold } from "../../contract/session/line.ts";
import { type Entry, newestTurn } from "./entry.ts";
import { toldUpTo } from "./knowledge.ts";

/** Plain JSON: it rests in the store. Raise the version when its shape, or what an event makes of it, changes. */
export const LINE_VERSION = 1;

export interface Line extends LineFold {
  /** The newest event that is in it. */
  seq: number;
  entries: readonly Entry[];
}

export const added = (line: Line, entry: Entry): Line => ({
  ...line,
  entries: [...line.entries, entry],
  is_fresh: false,
});

/** The newest turn that was had. The number of one that was given back is not counted: it may begin again. */
export const newestNumber = ({ entries, last }: Line): number =>
  newestTurn(entries)?.turn ?? last;

/** The agent is told of everything before. */
export const toldAll = (line: Line): Line => ({
  ...line,
  knows: toldUpTo(newestNumber(line)),
  is_history_due: true,
});
