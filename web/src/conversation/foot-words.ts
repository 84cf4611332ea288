/** `Completed in 4 min · 3 files +54 −19 · captured`: what a turn came to. */
import type { TurnMark } from "../line/mark.ts";
import { duration } from "../words/age.ts";
import { unreachable } from "../../../src/kit/unreachable.ts";

/** `Completed in 4 min 10 s`, `Cut off after 2 min 3 s`; without the time where that is not known. */
export const outcomeWords = (
  outcome: TurnMark["outcome"],
  { startedAt, endedAt }: { startedAt: string | null; endedAt: string | null },
): string => {
  const took =
    startedAt === null || endedAt === null
      ? null
      : duration(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)));
  const within = (word: string): string =>
    took === null ? word : `${word} in ${took}`;
  const after = (word: string): string =>
    took === null ? word : `${word} after ${took}`;
  switch (outcome) {
    case "completed":
      return within("Completed");
    case "cancelled":
      return after("Cancelled");
    case "refused":
      return after("Refused");
    case "failed":
      return after("Failed");
    case "interrupted":
      return after("Cut off");
    case "uncertain":
      return "Nobody knows whether the agent took it";
    case "running":
    case "asks":
      return "Running";
    default:
      return unreachable(outcome);
  }
};

export const captureWords = (
  capture: TurnMark["capture"],
): { text: string; tone: "plain" | "amber" | "red" } | null => {
  switch (capture) {
    case null:
      return null;
    case "saved":
      return { text: "captured", tone: "plain" };
    case "partial":
      return { text: "captured without some files", tone: "amber" };
    case "failed":
      return { text: "not captured", tone: "red" };
    default:
      return unreachable(capture);
  }
};

/** Why a turn cannot be gone back to; null where it can. */
export const rewindRefusal = (
  { capture, behind, turn }: TurnMark,
  { newest }: { newest: number },
): string | null => {
  if (capture === "failed") return "What this turn left was not captured";
  if (capture === null) return "Nothing was captured behind this turn";
  return turn === newest && !behind
    ? "The session is at this turn already"
    : null;
};
