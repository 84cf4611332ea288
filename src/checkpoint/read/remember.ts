import type { BigIntStats, Stats } from "node:fs";
import type { Arena } from "../trees/arena.ts";
import { isOnDisk } from "../files/device.ts";
import type { Mtime } from "../format/entry.ts";
import { isCoarse, isPast, isYoung } from "./settled.ts";

const SECOND = 1_000_000_000n;

/** Writes down what the system said. */
export const remember = (arena: Arena, row: number, now: BigIntStats): void => {
  const mtime = split(now.mtimeNs);
  arena.dev[row] = Number(now.dev);
  arena.ino[row] = Number(now.ino);
  arena.size[row] = Number(now.size);
  arena.mode[row] = Number(now.mode);
  arena.seconds[row] = mtime.seconds;
  arena.nanoseconds[row] = mtime.nanoseconds;
  arena.ctime[row] = msOf(now.ctimeNs);
};

/** What a scan knows of the clocks. */
export interface ScanClock {
  /** Ours when the scan began. */
  startedAt: number;
  /** The newest time seen in the workspace so far. */
  newest: number;
  /** How long ago the scan before this one ended, in milliseconds. */
  sinceLast: number;
  /** The clock was set back since then, so a time of whole seconds may have come twice. */
  wasSetBack: boolean;
  /** Ours at this moment. */
  now: () => number;
}

/** Whether something happened so shortly before by our clock that more may happen at the same time. */
export const wasNow = (
  time: number,
  { startedAt, now }: Pick<ScanClock, "startedAt" | "now">,
): boolean => isYoung(time, { startedAt, now: now(), newest: Infinity });

/** Marks an entry that may change again without newer times: the next scan reads it again. */
export const noteRace = (
  arena: Arena,
  row: number,
  { startedAt, newest, now }: Pick<ScanClock, "startedAt" | "newest" | "now">,
): void => {
  const moment = {
    startedAt,
    now: now(),
    newest: isOnDisk(arena.dev[row] ?? 0) ? Infinity : newest,
  };
  arena.setRacy(row, isYoung(lastChange(arena, row), moment));
};

/**
 * Takes the mark from an entry that was read now and is what it was when the scan before this one ended. The pages of a
 * file that is open were flushed before it was read: on a disk, its times tell of every store from then on.
 */
export const noteRepeat = (
  arena: Arena,
  row: number,
  { sinceLast, now }: Pick<ScanClock, "sinceLast" | "now">,
): void => {
  const moment = { elapsed: sinceLast, now: now() };
  if (!isPast(lastChange(arena, row), moment)) return;
  arena.setRacy(row, false);
  if (isOnDisk(arena.dev[row] ?? 0)) arena.setOpen(row, false);
};

/** Whether equal times mean that nothing has changed. */
export const isSettled = (
  arena: Arena,
  row: number,
  { wasSetBack }: Pick<ScanClock, "wasSetBack">,
): boolean =>
  !arena.isRacy(row) &&
  !arena.isOpen(row) &&
  !(wasSetBack && isCoarse(arena.ctime[row] ?? 0));

/** A file system that keeps no ctime says 0, or something older than the mtime. */
const lastChange = (arena: Arena, row: number): number =>
  Math.max(arena.ctime[row] ?? 0, mtimeOf(arena, row));

/** Whether the entry is what it was when it was written down. */
export const isSame = (arena: Arena, row: number, now: Stats): boolean =>
  arena.mode[row] === now.mode &&
  arena.ctime[row] === now.ctimeMs &&
  arena.ino[row] === now.ino &&
  mtimeOf(arena, row) === now.mtimeMs &&
  arena.dev[row] === now.dev &&
  (arena.size[row] === now.size || now.isDirectory());

const mtimeOf = (arena: Arena, row: number): number =>
  (arena.seconds[row] ?? 0) * 1000 + (arena.nanoseconds[row] ?? 0) / 1e6;

/** As Node counts where it does not count exactly. */
const inMs = ({ seconds, nanoseconds }: Mtime): number =>
  seconds * 1000 + nanoseconds / 1e6;

export const msOf = (ns: bigint): number => inMs(split(ns));

export const split = (ns: bigint): Mtime => {
  const rest = Number(ns % SECOND);
  const nanoseconds = rest < 0 ? rest + 1e9 : rest;
  // Not exact before it is rounded, but far nearer than half a second.
  return { seconds: Math.round((Number(ns) - nanoseconds) / 1e9), nanoseconds };
};
