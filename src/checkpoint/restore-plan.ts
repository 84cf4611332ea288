import { isWithin, toText, type ByteString } from "./byte-string.ts";
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
  /** Where something is mounted now: it is left alone, whatever the checkpoint has there. */
  mounted: string[];
  /** What would be undone and is not in the checkpoint that was named as `captured`. */
  uncaptured: string[];
  /** For `restore` only. */
  steps: readonly Difference[];
  drafts: readonly ByteString[];
  ground: string | null;
}

export const toPlan = (
  tree: Hash,
  into: string,
  { fresh, steps, drafts, mounted, uncaptured, ground }: Steps,
  createOnly: boolean,
): RestorePlan => {
  const wanted = createOnly ? missingOf(steps) : steps;
  const chosen = new Set(wanted);
  return {
    tree,
    into,
    fresh,
    createOnly,
    changes: wanted.map(toChange),
    kept: steps.filter((step) => !chosen.has(step)).map(toChange),
    mounted: mounted.map(toText),
    uncaptured: uncaptured.map(toText),
    steps: wanted,
    drafts: createOnly ? [] : drafts,
    ground,
  };
};

/** What can be made without touching anything: not beneath something else that stands in its way. */
const missingOf = (steps: readonly Difference[]): Difference[] => {
  const inTheWay = steps
    .filter(
      ({ before, after }) => before !== null && before.kind !== after?.kind,
    )
    .map(({ path }) => path);
  return steps.filter(
    ({ path, before }) =>
      before === null && !inTheWay.some((each) => isWithin(path, each)),
  );
};
