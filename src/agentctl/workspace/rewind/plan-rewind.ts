/** Which changes in a shared directory are one session's own to undo, and which are not. Pure. */
import type { Change } from "../../../contract/session/checkpoint.ts";

export interface Sharing {
  /** What this session did, turn by turn. */
  own: readonly (readonly Change[])[];
  /** What happened while it was not at work: since the checkpoint, between its turns, and since the last of them. */
  meanwhile: readonly (readonly Change[])[];
  /** What was done while others were at work too. */
  others: readonly (readonly Change[])[];
}

/** The paths that a session changed: only these are brought back. */
export const ownPaths = ({ own }: Pick<Sharing, "own">): ReadonlySet<string> =>
  new Set(own.flat().map(({ path }) => path));

/**
 * What stands in the way: a path of this session that changed when it was not at work, or while another one was, so
 * that bringing it back would undo somebody else's work; and whatever would be touched that this session never did.
 */
export const conflictsOf = (
  sharing: Sharing,
  steps: readonly Change[],
): Change[] => {
  const mine = ownPaths(sharing);
  const conflicts = new Map<string, Change>();
  for (const change of [...sharing.meanwhile, ...sharing.others].flat())
    if (mine.has(change.path)) conflicts.set(change.path, change);
  // A directory that goes takes along what is in it.
  for (const step of steps)
    if (!mine.has(step.path)) conflicts.set(step.path, step);
  return [...conflicts.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
};
