import type { Event, EventOf } from "../../contract/event/event.ts";
import { usageWords } from "../../contract/base/usage.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { marked } from "../terminal/marked.ts";
import type { Palette } from "../terminal/palette.ts";

/** The events after which a turn does not go on. */
export type TurnEnd = EventOf<
  "session.turn.ended" | "session.turn.interrupted" | "session.prompt.uncertain"
>;

export const isTurnEnd = (event: Event): event is TurnEnd =>
  event.type === "session.turn.ended" ||
  event.type === "session.turn.interrupted" ||
  event.type === "session.prompt.uncertain";

/** How a turn ended, on a line of its own. */
export const turnEnd = (event: TurnEnd, palette: Palette): string => {
  switch (event.type) {
    case "session.turn.ended":
      return ended(event.data, palette);
    case "session.turn.interrupted":
      return palette.red(
        `── turn ${event.data.turn} was interrupted: ${oneLine(event.data.reason)}`,
      );
    case "session.prompt.uncertain":
      return palette.red(
        `── it is uncertain whether the agent took the prompt: ${oneLine(event.data.reason)}`,
      );
    default:
      return unreachable(event);
  }
};

export const sessionEnd = ({ data }: EventOf<"session.ended">): string =>
  `── the session has ended: ${data.outcome}`;

const ended = (
  {
    turn,
    outcome,
    stop_reason,
    error,
    usage,
  }: EventOf<"session.turn.ended">["data"],
  palette: Palette,
): string => {
  const why = [
    // "failed (error)" would say it twice.
    ...(outcome === "failed" && stop_reason === "error" ? [] : [stop_reason]),
    ...(usage === null ? [] : [usageWords(usage, " tokens")]),
  ].join(", ");
  const line = `── turn ${turn} ${outcome}${why === "" ? "" : ` (${oneLine(why)})`}`;
  if (outcome === "completed") return palette.dim(line);
  return palette.red(
    error === null ? line : `${line}\n${marked("   ", error)}`,
  );
};
