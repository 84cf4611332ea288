import { toText } from "../format/byte-string.ts";
import type { Difference } from "../trees/diff.ts";
import { sameContent } from "../format/entry.ts";
import { VaultFailure } from "../format/failure.ts";
import type { ObjectSource } from "../packs/objects.ts";
import { readStable } from "../read/read-stable.ts";
import { Sketch } from "../packs/sink.ts";
import { UnseenChanges } from "../read/unseen-changes.ts";
import type { SafePath } from "../files/safe-path.ts";

/**
 * Reads every file that a restore is about to remove or to replace: it must have the content that the plan was made for.
 * Times are not enough here, because what they do not tell would be lost.
 */
export const checkContents = async (
  { root, safePath }: { root: string; safePath: SafePath },
  steps: readonly Difference[],
  objects: ObjectSource,
  isAborted: () => boolean,
): Promise<void> => {
  const doubts = new UnseenChanges(root, Date.now());
  for (const { path, before } of steps) {
    if (before?.kind !== "file") continue;
    const target = { at: safePath.at(path), path, doubts };
    const reading = await readStable(target, new Sketch(objects), isAborted);
    if (reading.kind === "aborted")
      throw new VaultFailure("aborted", "the restore was called off");
    if (
      reading.kind !== "read" ||
      !sameContent(reading.content, before.content)
    )
      throw new VaultFailure(
        "changed",
        `${toText(path)} is not what it was when the restore was planned`,
      );
  }
};
