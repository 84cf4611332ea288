import type { TurnMark } from "../line/mark.ts";

/** Why something cannot be done with a turn; null where it can. */
export const knotRefusals = (
  mark: TurnMark,
  running: number | null,
): { diff: string | null; fork: string | null; rewind: string | null } => {
  const uncaptured =
    mark.capture === null || mark.capture === "failed"
      ? mark.outcome === "running" || mark.outcome === "asks"
        ? `Turn ${mark.turn} is not over.`
        : `Turn ${mark.turn} was not captured.`
      : null;
  return {
    diff: uncaptured,
    fork: uncaptured,
    rewind:
      uncaptured ??
      (running === null ? null : `Rewind when turn ${running} is over.`),
  };
};
