import type { ByteString } from "./byte-string.ts";
import type { Change } from "./change.ts";
import type { Difference } from "./diff.ts";
import type { Hash } from "./hash.ts";

/** What a restore will do. `--dry-run` prints it, `restore` does it. */
export interface RestorePlan {
  tree: Hash;
  into: string;
  /** Nothing is there: all of the checkpoint is made, and `changes` does not repeat it. */
  fresh: boolean;
  changes: Change[];
  /** What differs and is left alone. */
  kept: Change[];
  /** For `restore` only. */
  steps: readonly Difference[];
  drafts: readonly ByteString[];
}
