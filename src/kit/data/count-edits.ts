import { lineDiff, linesOf } from "./line-diff.ts";

/** The search for the fewest edits costs time with the square of them: beyond so many, what differs counts as replaced. */
const MAX_EDITS = 500;

/** How many lines come and go when one text becomes another. */
export const countEdits = (
  before: string,
  after: string,
): { added: number; removed: number } => {
  let [added, removed] = [0, 0];
  if (before === after) return { added, removed };
  for (const { kind } of lineDiff(linesOf(before), linesOf(after), MAX_EDITS)) {
    if (kind === "added") added += 1;
    if (kind === "removed") removed += 1;
  }
  return { added, removed };
};
