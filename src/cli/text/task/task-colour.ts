import type { AttemptOutcome, TaskState } from "../../../contract/task/task.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import type { Palette } from "../../terminal/palette.ts";

type Paint = (text: string) => string;

export const taskColour = (state: TaskState, palette: Palette): Paint => {
  switch (state) {
    case "IN_PROGRESS":
      return palette.cyan;
    case "REVIEW":
      return palette.yellow;
    case "DONE":
      return palette.green;
    case "FAILED":
      return palette.red;
    case "TODO":
    case "CANCELLED":
      return palette.dim;
    default:
      return unreachable(state);
  }
};

export const outcomeColour = (
  outcome: AttemptOutcome,
  palette: Palette,
): Paint => {
  switch (outcome) {
    case "succeeded":
      return palette.green;
    case "failed":
    case "timed_out":
    case "interrupted":
      return palette.red;
    case "cancelled":
      return palette.dim;
    default:
      return unreachable(outcome);
  }
};
