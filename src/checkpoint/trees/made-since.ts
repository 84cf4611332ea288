import { parentOf, type ByteString } from "../format/byte-string.ts";
import { kindOf, type Difference } from "./diff.ts";
import type { Entry } from "../format/entry.ts";

/**
 * Of what a restore would undo, what a checkpoint does not know: it came after that was taken, and would be lost.
 * `known` leads from that checkpoint to what shall be. What a restore that was cut off has left is not among it.
 */
export const madeSince = (
  steps: readonly Difference[],
  known: readonly Difference[],
): ByteString[] => {
  const captured = new Map(known.map((each) => [each.path, each]));
  return steps
    .filter(({ path, before, after }) => {
      if (before?.kind !== "file" && before?.kind !== "link") return false;
      if (isSame(after, before)) return false;
      // A file grows at its place where its directory is new.
      if (after !== null && captured.get(parentOf(path))?.before === null)
        return false;
      const then = captured.get(path);
      // Where the checkpoint is what shall be, the step undoes what came since.
      return then === undefined || !isSame(then.before, before);
    })
    .map(({ path }) => path);
};

/** But for mode and time: a restore sets those apart from the rest. */
const isSame = (then: Entry | null, now: Entry): boolean => {
  if (then === null) return false;
  const kind = kindOf({ path: "", before: then, after: now });
  return kind === "mode" || kind === "time";
};
