import type { Entry, Line } from "../state/line.ts";
import { newestTurn } from "./entry.ts";
import { toldUpTo } from "./knowledge.ts";

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
