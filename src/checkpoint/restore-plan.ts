import type { ByteString } from "./byte-string.ts";
import { toChange, type Change } from "./change.ts";
import type { Difference } from "./diff.ts";
import type { Hash } from "./hash.ts";
import type { Steps } from "./plan-restore.ts";

/** What a restore will do. `--dry-run` prints it, `restore` does it. */
export interface RestorePlan {
  tree: Hash;
  into: string;
  /** Nothing is there: all of the checkpoint is made, and `changes` does not repeat it. */
  fresh: boolean;
  /** What is there stays as it is. */
  createOnly: boolean;
  changes: Change[];
  /** What differs and is left alone. */
  kept: Change[];
  /** For `restore` only. */
  steps: readonly Difference[];
  drafts: readonly ByteString[];
}

export const toPlan = (
  tree: Hash,
  into: string,
  { fresh, steps, drafts }: Steps,
  createOnly: boolean,
): RestorePlan => {
  const isWanted = ({ before }: Difference): boolean =>
    !createOnly || before === null;
  const wanted = steps.filter(isWanted);
  return {
    tree,
    into,
    fresh,
    createOnly,
    changes: wanted.map(toChange),
    kept: steps.filter((step) => !isWanted(step)).map(toChange),
    steps: wanted,
    drafts: createOnly ? [] : drafts,
  };
};
