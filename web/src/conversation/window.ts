/** What the list of rows has to know of the rows it shows. */
import type { Row } from "./rows.ts";

type First = Pick<Row, "key" | "turn"> | undefined;

/** Whether rows came before the row that was the first one, or turns at the beginning went: what is seen keeps its place then. */
export const isShiftedFrom = (
  rows: readonly Pick<Row, "key" | "turn">[],
  first: First,
): boolean =>
  first !== undefined &&
  rows[0] !== undefined &&
  rows[0].key !== first.key &&
  (rows[0].turn > first.turn || rows.some(({ key }) => key === first.key));

/** The turns of rows from one index to another; 0 stands for what was said before the first turn. */
export const turnsInView = (
  rows: readonly Pick<Row, "turn">[],
  { from, to }: { from: number; to: number },
): { from: number; to: number } | null => {
  const first = rows[Math.max(0, from)];
  const last = rows[Math.min(rows.length - 1, to)];
  return first === undefined || last === undefined
    ? null
    : { from: first.turn, to: last.turn };
};
