/** A thread of the vault: does whatever the vault is asked. */
import { SIDE_WORKER } from "./programs.ts";
import { join } from "node:path";
import { processorWait } from "../../kit/processes/processor-wait.ts";
import { toText } from "../format/byte-string.ts";
import type { Calls, Known } from "./calls.ts";
import { toChange } from "../trees/change.ts";
import { countChanges } from "../trees/count-changes.ts";
import { differences, isMounted, type Difference } from "../trees/diff.ts";
import { draftsNotedIn } from "../files/draft-name.ts";
import { flushDisk } from "../files/flush-disk.ts";
import { givingWay } from "../threads/give-way.ts";
import { hashOf } from "../format/hash.ts";
import { SideWorkers, THREADS } from "../threads/side-workers.ts";
import { list, readFileOf } from "../trees/list.ts";
import { compare, planSteps } from "../restore/plan-restore.ts";
import type { Marking } from "../upkeep/prune.ts";
import { restore } from "../restore/restore.ts";
import { toPlan, unsealed } from "../restore/restore-plan.ts";
import { save, type SaveRequest, type Surroundings } from "../capture/save.ts";
import { saveFiles } from "../capture/save-files.ts";
import { serveCalls, type CallContext } from "./serve-calls.ts";

const waited = processorWait();
const bed = new Int32Array(new SharedArrayBuffer(4));

/** Asked at every step of the work: the moment to give way. */
const unhurried = (
  isAborted: () => boolean,
  giveWayMs: number,
): (() => boolean) => {
  const giveWay = givingWay(giveWayMs, {
    now: () => performance.now(),
    waited,
    pause: (ms) => void Atomics.wait(bed, 0, 0, ms),
  });
  return () => {
    giveWay();
    return isAborted();
  };
};

// What is seldom asked is loaded when it is: whoever waits for a checkpoint does not wait for that too.
serveCalls<Calls>(({ place, objects, listener }) => {
  /** Between the halves of a prune. */
  let marking: Marking | null = null;
  const sideWorkersOf = ({ abort }: CallContext, width: number): SideWorkers =>
    new SideWorkers(SIDE_WORKER, place, listener, abort, width);
  const around = (
    {
      cacheKey,
      generation,
      giveWayMs = 0,
    }: Known & Pick<SaveRequest, "giveWayMs">,
    context: CallContext,
  ): Surroundings => ({
    objects,
    cache:
      cacheKey === null
        ? null
        : join(place.cache, "workspaces", hashOf(Buffer.from(cacheKey))),
    generation,
    isAborted:
      giveWayMs === 0
        ? context.isAborted
        : unhurried(context.isAborted, giveWayMs),
    // This one reads too.
    sideWorkers: sideWorkersOf(context, giveWayMs === 0 ? THREADS - 1 : 0),
    draftKind: draftsNotedIn(place.restores),
  });
  return {
    save: (asked, context) => save(asked, around(asked, context)),
    saveFiles: ({ files }, { isAborted }) =>
      saveFiles(files, objects, isAborted),
    diff: async ({ before, after }) => {
      await objects.refresh();
      const found = await differences(
        { source: objects, tree: before },
        { source: objects, tree: after },
      );
      return found.map(toChange);
    },
    count: async ({ before, after }) => {
      await objects.refresh();
      return countChanges(objects, before, after);
    },
    gaps: async ({ before, after }) => {
      await objects.refresh();
      const gaps: Difference[] = [];
      await differences(
        { source: objects, tree: before },
        { source: objects, tree: after },
        gaps,
      );
      return gaps
        .filter((gap) => isMounted(gap.before) || isMounted(gap.after))
        .map(({ path }) => toText(path));
    },
    compare: async (asked, context) => {
      const { found } = await compare(asked, around(asked, context));
      return found.map(({ path, before, after }) =>
        toChange({ path, before: after, after: before }),
      );
    },
    read: async ({ tree, path, maxBytes }) => {
      await objects.refresh();
      return readFileOf(tree, path, maxBytes, objects);
    },
    list: async ({ tree }) => {
      await objects.refresh();
      return list(tree, objects);
    },
    plan: async (asked, context) =>
      toPlan(asked, await planSteps(asked, around(asked, context))),
    restore: ({ sealed, restoreId }, context) =>
      restore(
        { ...unsealed(sealed), restoreId },
        {
          objects,
          isAborted: context.isAborted,
          sideWorkers: sideWorkersOf(context, THREADS),
        },
      ),
    flush: async ({ directory }) => {
      flushDisk(directory);
      return null;
    },
    verify: async ({ tree }) => {
      const { verify } = await import("../upkeep/verify.ts");
      return verify(tree, objects);
    },
    verifyAll: async ({ trees }, { isAborted }) => {
      const { verifyVault } = await import("../upkeep/verify-vault.ts");
      return verifyVault(objects, trees, isAborted);
    },
    usage: async ({ sets }) => {
      const { usage } = await import("../upkeep/usage.ts");
      return usage(sets, objects);
    },
    exportTo: async ({ file, roots, members }, { isAborted }) => {
      const { exportTo } = await import("../archive/export.ts");
      return exportTo(file, roots, members, objects, isAborted);
    },
    importFrom: async (asked, { isAborted }) => {
      const { importFrom } = await import("../archive/import.ts");
      return importFrom(asked, objects, isAborted);
    },
    mark: async ({ roots, dryRun }) => {
      const { mark } = await import("../upkeep/prune.ts");
      marking = await mark(objects, roots, dryRun);
      return marking.candidates.map(({ pack }) => pack.name);
    },
    sweep: async ({ roots, dryRun }) => {
      const { sweep } = await import("../upkeep/prune.ts");
      if (marking === null) throw new Error("nothing was marked");
      return sweep(objects, marking, roots, dryRun);
    },
  };
});
