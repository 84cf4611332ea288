import type { LineFold, Mark, TurnMark } from "../../contract/session/line.ts";

/** A mark as it is folded: what follows from all of them together is left out. */
export type TurnEntry = Omit<TurnMark, "memory" | "behind" | "forks">;
export type Entry = Exclude<Mark, { kind: "turn" }> | TurnEntry;

/** The line of a session while it is folded. */
export interface Line extends LineFold {
  /** The newest event that is in it. */
  seq: number;
  entries: readonly Entry[];
}
