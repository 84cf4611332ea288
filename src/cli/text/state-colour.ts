import type { StateName } from "../../contract/session/state.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { Palette } from "../terminal/palette.ts";

export const stateColour = (
  state: StateName,
  palette: Palette,
): ((text: string) => string) => {
  switch (state) {
    case "RUNNING":
    case "STARTING":
      return palette.cyan;
    case "WAITING_FOR_INPUT":
      return palette.green;
    case "ERROR":
    case "FAILED":
      return palette.red;
    case "PAUSED":
      return palette.yellow;
    case "CREATED":
    case "COMPLETED":
    case "CANCELLED":
      return palette.dim;
    default:
      return unreachable(state);
  }
};
