import { deserialize, serialize } from "node:v8";
import { isWithin, toText } from "../format/byte-string.ts";
import { toChange, type Change } from "../trees/change.ts";
import type { Difference } from "../trees/diff.ts";
import type { Hash } from "../format/hash.ts";
import type { RestoreRequest, Steps } from "./plan-restore.ts";
import type { RestoreSteps } from "./restore.ts";

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
  /** The steps, for `restore` only. Sealed, because to take tens of thousands of them over is work for a thread. */
  sealed: Uint8Array;
}

export const toPlan = (
  { tree, root, createOnly, isImported }: RestoreRequest,
  { fresh, steps, drafts, mounted, uncaptured, ground }: Steps,
): RestorePlan => {
  const wanted = createOnly ? missingOf(steps) : steps;
  const chosen = new Set(wanted);
  const sealed: RestoreSteps = {
    tree,
    root,
    fresh,
    createOnly,
    isImported,
    steps: wanted,
    drafts: createOnly ? [] : drafts,
    ground,
  };
  return {
    tree,
    into: root,
    fresh,
    createOnly,
    changes: wanted.map(toChange),
    kept: steps.filter((step) => !chosen.has(step)).map(toChange),
    mounted: mounted.map(toText),
    uncaptured: uncaptured.map(toText),
    sealed: serialize(sealed),
  };
};

/** What `toPlan` has sealed. */
export const unsealed = (sealed: Uint8Array): RestoreSteps => {
  const steps: unknown = deserialize(sealed);
  if (!areSteps(steps)) throw new Error("this is no plan of a restore");
  return steps;
};

const areSteps = (value: unknown): value is RestoreSteps =>
  typeof value === "object" && value !== null && "steps" in value;

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
