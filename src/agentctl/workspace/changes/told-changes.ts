import type { Change as Difference } from "../../../checkpoint/trees/change.ts";
import type { Change, Unknown } from "../../../contract/session/checkpoint.ts";

export const MAX_CHANGES = 5000;

/** What is said of changes: times alone are none, and a directory that comes or goes is told by what is in it. */
export const toldChanges = (
  differences: readonly Difference[],
): { changes: Change[]; truncated: boolean } => {
  const changes = differences
    .filter((each, at) => isTold(each, differences[at + 1]))
    .flatMap(changeOf);
  return {
    changes: changes.slice(0, MAX_CHANGES),
    truncated: changes.length > MAX_CHANGES,
  };
};

/** Of what stands in the way as much is named, and the rest is counted. */
export const toldConflicts = (
  conflicts: readonly Change[],
): { conflicts: Change[]; more_conflicts?: number } => {
  const more_conflicts = conflicts.length - MAX_CHANGES;
  return {
    conflicts: conflicts.slice(0, MAX_CHANGES),
    ...(more_conflicts > 0 && { more_conflicts }),
  };
};

/** Paths that nobody can say anything of, because something is mounted there. */
export const mountedAt = (paths: readonly string[]): Unknown[] =>
  paths.slice(0, MAX_CHANGES).map((path) => ({ path, reason: "mounted" }));

const MAX_INCOMPLETE = 100;

/** Paths that could not be given all their extended attributes, where there are any. */
export const toldIncomplete = (
  paths: readonly string[],
): { incomplete?: string[] } =>
  paths.length === 0 ? {} : { incomplete: paths.slice(0, MAX_INCOMPLETE) };

/** Without times, and otherwise everything. */
export const realChanges = (differences: readonly Difference[]): Change[] =>
  differences.flatMap(changeOf);

/** Parents stand right before what is in them. */
const isTold = (
  { path, kind, entry }: Difference,
  next: Difference | undefined,
): boolean =>
  entry !== "directory" ||
  (kind !== "added" && kind !== "removed") ||
  next?.path.startsWith(`${path}/`) !== true;

const changeOf = ({ path, kind }: Difference): Change[] =>
  kind === "time" ? [] : [{ path: path === "" ? "." : path, kind }];
