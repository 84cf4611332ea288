import { statfs } from "node:fs/promises";

const EVERY_MS = 2000;
/** With less than this left, what an agent writes may get lost. */
const FULL_BYTES = 64 * 1024;

/** With this much left again, the disk counts as another than the full one that was told of. */
const ROOM_BYTES = 1024 * 1024;

const WORDS =
  "The disk is full: what the agent says may be lost, and what it is told waits until there is room. Free some space.";

/** What this needs of an execution. */
interface Watched {
  readonly files: { directory: string };
  readonly ended: { promise: Promise<unknown> };
  /** Another agentctl looks after it now. */
  readonly left: boolean;
  notice(code: string, words: string): void;
}

/** Those who run, and those of them who were told and have seen no room since. */
const running = new Set<Watched>();
const told = new WeakSet<Watched>();
let timer: NodeJS.Timeout | undefined;

/**
 * Agents write into files. On a full disk their words are lost where nobody sees it, unless they die of it: so we look,
 * and tell everybody who runs, once until there is room again. A disk that is nearly full is full now and then, as files
 * come and go: that is still the same.
 */
export const watchForFullDisk = (execution: Watched): void => {
  running.add(execution);
  void execution.ended.promise.then(() => running.delete(execution));
  timer ??= setInterval(() => void look(), EVERY_MS).unref();
};

/** The same look, for one that has just died: perhaps of it. */
export const tellIfDiskIsFull = async (execution: Watched): Promise<void> => {
  if ((await roomIn(execution)) < FULL_BYTES) tellFullDisk(execution);
};

export const tellFullDisk = (execution: Watched): void => {
  if (told.has(execution)) return;
  told.add(execution);
  execution.notice("disk_full", WORDS);
};

const look = async (): Promise<void> => {
  for (const execution of running) {
    if (execution.left) running.delete(execution);
    else heed(execution, await roomIn(execution));
  }
  if (running.size > 0) return;
  clearInterval(timer);
  timer = undefined;
};

/** Tells it of a disk with so many bytes left. */
export const heed = (execution: Watched, bytes: number): void => {
  if (bytes < FULL_BYTES) tellFullDisk(execution);
  else if (bytes >= ROOM_BYTES) told.delete(execution);
};

/** Where nobody can tell, there is some. */
const roomIn = async ({ files }: Watched): Promise<number> => {
  const found = await statfs(files.directory).catch(() => null);
  return found === null ? FULL_BYTES : found.bavail * found.bsize;
};
