import type { RewindPlan } from "../../contract/session/checkpoint.ts";

/** The whole list is in what a dry run answers. */
const MAX_NAMES = 20;

/** What stands in the way of a rewind, and what can be done about it. */
export const conflictWords = ({
  conflicts,
  more_conflicts = 0,
}: Pick<RewindPlan, "conflicts" | "more_conflicts">): string => {
  const count = conflicts.length + more_conflicts;
  const names = conflicts.slice(0, MAX_NAMES).map(({ path }) => path);
  const rest = count - names.length;
  return `Others changed the same ${count === 1 ? "file" : "files"} since: ${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}. Nothing was touched. Undo their changes first, or fork the session at that turn.`;
};
