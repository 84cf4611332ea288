/** The runs of a race side by side. */
import type { Palette } from "../terminal/palette.ts";
import { duration } from "../terminal/age.ts";
import { type Cell, roomLeft, table } from "../terminal/table.ts";
import { width } from "../terminal/width.ts";
import type { Sink } from "../terminal/world.ts";
import type { Outcome } from "./outcome.ts";

const UNKNOWN = "–";

/** Ids are never cut: where the terminal is too narrow for them, they come below. */
export const comparison = (
  runs: readonly Outcome[],
  { palette, columns }: Pick<Sink, "palette" | "columns">,
): string => {
  const hasCheck = runs.some(({ check }) => check !== null);
  const names = [
    "#",
    "AGENT",
    "OUTCOME",
    "FILES",
    "LINES",
    "TIME",
    "TOKENS",
    ...(hasCheck ? ["CHECK"] : []),
  ];
  const figures = [
    headingOf(names, palette),
    ...runs.map((run) => row(run, hasCheck, palette)),
  ];
  const ids = [
    headingOf(["SESSION"], palette),
    ...runs.map(({ session_id }) => [{ text: session_id ?? UNKNOWN }]),
  ];
  const beside = figures.map((cells, at) => [...cells, ...(ids[at] ?? [])]);
  if (columns === null || isWithin(beside, columns))
    return table(beside, columns);
  const numbered = ids.map((cells, at) => [
    ...(figures[at] ?? []).slice(0, 1),
    ...cells,
  ]);
  return `${table(figures, columns)}\n${table(numbered, columns)}`;
};

const headingOf = (names: readonly string[], palette: Palette): Cell[] =>
  names.map((text) => ({ text, paint: palette.dim }));

const isWithin = (rows: readonly (readonly Cell[])[], columns: number) =>
  rows.every(
    (cells) => width(cells.at(-1)?.text ?? "") <= roomLeft(rows, columns),
  );

const row = (run: Outcome, hasCheck: boolean, palette: Palette): Cell[] => [
  { text: String(run.number) },
  { text: run.agent },
  {
    text: run.status,
    paint: run.status === "completed" ? palette.green : palette.red,
  },
  { text: run.took_ms === null ? UNKNOWN : String(run.files.length) },
  { text: linesText(run.lines) },
  { text: run.took_ms === null ? UNKNOWN : duration(run.took_ms) },
  { text: run.tokens === null ? UNKNOWN : String(run.tokens) },
  ...(hasCheck ? [checkCell(run, palette)] : []),
];

const linesText = (lines: Outcome["lines"]): string =>
  lines === null
    ? UNKNOWN
    : `+${lines.added} -${lines.removed}${lines.at_least ? " or more" : ""}`;

const checkCell = ({ check }: Outcome, palette: Palette): Cell => {
  if (check === null) return { text: UNKNOWN };
  if (check.exit_code === 0) return { text: "passed", paint: palette.green };
  const text =
    check.exit_code === null ? "failed" : `failed (${check.exit_code})`;
  return { text, paint: palette.red };
};
