/** A thread of the vault: does one thing after another, and may wait where it stands. */
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { lowerPriority } from "../kit/lower-priority.ts";
import { FolderBytes } from "./bytes/folder.ts";
import type { Answered, Asked, CallName, Calls, Known } from "./calls.ts";
import { differences } from "./diff.ts";
import { exportTo } from "./export.ts";
import { failureOf } from "./failure.ts";
import { flushDisk } from "./flush-disk.ts";
import { hashOf } from "./hash.ts";
import { importFrom } from "./import.ts";
import { list, readFileOf } from "./list.ts";
import { Objects } from "./objects.ts";
import { compare, planSteps } from "./plan-restore.ts";
import { mark, sweep, type Marking } from "./prune.ts";
import { restore } from "./restore.ts";
import { save, type Surroundings } from "./save.ts";
import { saveFiles } from "./save-files.ts";
import { usage } from "./usage.ts";
import { verify } from "./verify.ts";

const port = parentPort;
if (port === null) throw new Error("this file is a thread of the vault");
// Whoever listens to an agent must not notice that a workspace is being captured.
lowerPriority();
const place = z
  .object({ packs: z.string(), cache: z.string() })
  .parse(workerData);

const answer = (message: Answered): void => port.postMessage(message);
const objects = new Objects(
  new FolderBytes(place.packs),
  join(place.cache, "index"),
  ({ message }) => answer({ warning: message }),
);

/** Between the halves of a prune. */
let marking: Marking | null = null;

type Work = {
  [K in CallName]: (
    asked: Calls[K]["asked"],
    isAborted: () => boolean,
  ) => Promise<Calls[K]["answer"]>;
};

const work: Work = {
  save: (asked, isAborted) => save(asked, around(asked, isAborted)),
  saveFiles: ({ files }, isAborted) => saveFiles(files, objects, isAborted),
  diff: async ({ before, after }) => {
    await objects.refresh();
    return differences(
      { source: objects, tree: before },
      { source: objects, tree: after },
    );
  },
  compare: async (asked, isAborted) =>
    (await compare(asked, around(asked, isAborted))).found,
  read: async ({ tree, path, mostBytes }) => {
    await objects.refresh();
    return readFileOf(tree, path, mostBytes, objects);
  },
  list: async ({ tree }) => {
    await objects.refresh();
    return list(tree, objects);
  },
  plan: (asked, isAborted) => planSteps(asked, around(asked, isAborted)),
  restore: (asked, isAborted) => restore(asked, objects, isAborted),
  flush: async ({ directory }) => {
    flushDisk(directory);
    return null;
  },
  verify: ({ tree }) => verify(tree, objects),
  usage: ({ sets }) => usage(sets, objects),
  exportTo: ({ file, roots, members }, isAborted) =>
    exportTo(file, roots, members, objects, isAborted),
  importFrom: (asked, isAborted) => importFrom(asked, objects, isAborted),
  mark: async ({ roots, dryRun }) => {
    marking = await mark(objects, roots, dryRun);
    return null;
  },
  sweep: ({ roots, dryRun }) => {
    if (marking === null) throw new Error("nothing was marked");
    return sweep(objects, marking, roots, dryRun);
  },
};

const around = (
  { cacheKey, generation }: Known,
  isAborted: () => boolean,
): Surroundings => ({
  objects,
  cache:
    cacheKey === null
      ? null
      : join(place.cache, "workspaces", hashOf(Buffer.from(cacheKey))),
  generation,
  isAborted,
});

const run = <K extends CallName>(
  call: K,
  asked: Calls[K]["asked"],
  isAborted: () => boolean,
): Promise<Calls[K]["answer"]> => work[call](asked, isAborted);

/** One at a time, in the order they come. */
let before: Promise<void> = Promise.resolve();

port.on("message", ({ id, call, asked, abort }: Asked) => {
  const flag = new Int32Array(abort);
  before = before.then(async () => {
    try {
      const value = await run(call, asked, () => Atomics.load(flag, 0) === 1);
      answer({ id, answer: value });
    } catch (error) {
      const { code, message } = failureOf(error);
      answer({ id, failure: { code, message } });
    }
  });
});
