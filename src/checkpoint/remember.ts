import type { BigIntStats, Stats } from "node:fs";
import type { Arena } from "./arena.ts";
import type { Mtime } from "./entry.ts";

/**
 * Clocks of file systems go in steps, and lag behind. What changed within this time before a scan, or after it began,
 * may change again without a newer time, so the next scan reads it again.
 */
const RACY_MS = 50;

const SECOND = 1_000_000_000n;

/** Writes down what the system said. */
export const remember = (
  arena: Arena,
  row: number,
  now: BigIntStats,
  scanStartedAt: number,
): void => {
  const mtime = split(now.mtimeNs);
  arena.dev[row] = Number(now.dev);
  arena.ino[row] = Number(now.ino);
  arena.size[row] = Number(now.size);
  arena.mode[row] = Number(now.mode);
  arena.seconds[row] = mtime.seconds;
  arena.nanoseconds[row] = mtime.nanoseconds;
  arena.ctime[row] = msOf(now.ctimeNs);
  noteRace(arena, row, scanStartedAt);
};

export const noteRace = (
  arena: Arena,
  row: number,
  scanStartedAt: number,
): void =>
  arena.setRacy(row, (arena.ctime[row] ?? 0) >= scanStartedAt - RACY_MS);

/** Whether the entry is what it was when it was written down. */
export const isSame = (arena: Arena, row: number, now: Stats): boolean =>
  arena.mode[row] === now.mode &&
  arena.ctime[row] === now.ctimeMs &&
  arena.ino[row] === now.ino &&
  (arena.seconds[row] ?? 0) * 1000 + (arena.nanoseconds[row] ?? 0) / 1e6 ===
    now.mtimeMs &&
  arena.dev[row] === now.dev &&
  (arena.size[row] === now.size || now.isDirectory());

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
