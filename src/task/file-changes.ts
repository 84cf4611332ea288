import type { FileChange } from "../contract/task/task.ts";

/** What several turns changed together, in order of paths. What somebody else changed between them is not in it. */
export const allChanges = (
  turns: readonly (readonly FileChange[])[],
): FileChange[] => {
  const changed = new Map<string, FileChange["change"]>();
  for (const { path, change } of turns.flat()) {
    const together = both(changed.get(path), change);
    if (together === null) changed.delete(path);
    else changed.set(path, together);
  }
  return [...changed]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, change]) => ({ path, change }));
};

/** Null: it is as it was. */
const both = (
  first: FileChange["change"] | undefined,
  then: FileChange["change"],
): FileChange["change"] | null => {
  if (first === undefined) return then;
  if (first === "added") return then === "removed" ? null : "added";
  if (first === "removed") return then === "added" ? "modified" : then;
  // A change of the content is more than one of the mode.
  return then === "mode" ? first : then;
};
