import type { Attempt } from "../../../contract/task/task.ts";
import { duration } from "../../terminal/age.ts";
import type { Palette } from "../../terminal/palette.ts";
import { oneLine } from "../../terminal/sanitize.ts";
import { type Cell, table } from "../../terminal/table.ts";
import { outcomeColour } from "./task-colour.ts";

const HEADING = [
  "NO",
  "MODE",
  "AGENT",
  "OUTCOME",
  "MEMORY",
  "FILES",
  "TOOK",
  "SESSION",
  "REASON",
];

/** The attempts at a task, one per line. */
export const attemptTable = (
  attempts: readonly Attempt[],
  palette: Palette,
  columns: number | null,
  now: Date,
): string =>
  table(
    [
      HEADING.map((text) => ({ text, paint: palette.dim })),
      ...attempts.map((attempt) => row(attempt, palette, now)),
    ],
    columns,
  );

const row = (attempt: Attempt, palette: Palette, now: Date): Cell[] => [
  { text: String(attempt.number) },
  { text: attempt.mode },
  { text: attempt.agent },
  outcomeCell(attempt, palette),
  { text: attempt.grade ?? "-" },
  { text: filesChanged(attempt) },
  { text: tookOf(attempt, now) },
  { text: attempt.session_id ?? "-" },
  { text: oneLine(attempt.reason ?? "") },
];

const outcomeCell = ({ outcome, state }: Attempt, palette: Palette): Cell =>
  outcome === undefined
    ? { text: state, paint: palette.cyan }
    : { text: outcome, paint: outcomeColour(outcome, palette) };

/** How many files changed; `?` where that is not known. */
const filesChanged = ({
  state,
  files_changed,
  files_left_out = 0,
}: Attempt): string => {
  if (state !== "ended") return "-";
  return files_changed === null
    ? "?"
    : String(files_changed.length + files_left_out);
};

const tookOf = ({ started_at, ended_at }: Attempt, now: Date): string => {
  const end = ended_at === undefined ? now.getTime() : Date.parse(ended_at);
  return duration(end - Date.parse(started_at));
};
