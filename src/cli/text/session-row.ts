import type { Session } from "../../contract/session.ts";
import type { StateName } from "../../contract/state.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { oneLine } from "../sanitize.ts";
import type { Sink } from "../world.ts";
import { age } from "./age.ts";
import type { Palette } from "./palette.ts";
import { type Cell, table } from "./table.ts";

/** The list of sessions. */
export const sessionTable = (
  sessions: readonly Session[],
  { palette, columns }: Sink,
  now: Date,
): string =>
  sessions.length === 0
    ? "No sessions yet. Start one with `reprise session start`.\n"
    : table(
        [
          ["ID", "STATE", "AGENT", "ACTIVE", "LAST"].map((text) => ({
            text,
            paint: palette.dim,
          })),
          ...sessions.map((each) => row(each, palette, now)),
        ],
        columns,
      );

const row = (session: Session, palette: Palette, now: Date): Cell[] => [
  { text: session.id },
  { text: session.state, paint: stateColour(session.state, palette) },
  { text: session.agent },
  { text: age(session.last_active_at, now) },
  { text: lastOf(session) },
];

/** Its name if it has one, else what was said last; a question that waits for an answer comes before both. */
const lastOf = (session: Session): string => {
  const [question] = session.pending_permissions;
  if (question !== undefined) return `asks: ${oneLine(question.title)}`;
  return oneLine(session.name ?? session.last_words ?? "");
};

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
