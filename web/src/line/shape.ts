/** Which shape a turn is drawn as. The shape says what happened; colour only adds to it. */
import type { SmallMark, TurnMark } from "./mark.ts";

export type TurnShape =
  /** Large: it changed files. Small: it changed none. */
  | "dot"
  | "small_dot"
  /** With a halo. */
  | "running"
  /** An amber diamond. */
  | "asks"
  /** Half a dot on a red bar. */
  | "cut"
  /** A dotted ring. */
  | "uncertain"
  | "cross"
  /** A red open square. */
  | "not_captured";

type Facts = Pick<TurnMark, "outcome" | "capture"> & {
  changed: boolean | null;
};

export const shapeOf = ({ outcome, capture, changed }: Facts): TurnShape => {
  switch (outcome) {
    case "running":
      return "running";
    case "asks":
      return "asks";
    case "interrupted":
      return "cut";
    case "uncertain":
      return "uncertain";
    case "failed":
    case "refused":
      return "cross";
    case "completed":
    case "cancelled":
      if (capture === "failed") return "not_captured";
      return changed === false ? "small_dot" : "dot";
  }
};

export const shapeOfTurn = (mark: TurnMark): TurnShape =>
  shapeOf({ ...mark, changed: mark.changes && mark.changes.files > 0 });

export const shapeOfSmall = (
  mark: Extract<SmallMark, { kind: "turn" }>,
): TurnShape => shapeOf(mark);
