/**
 * Which unit starts next: the longest, when there is room for one. As many as there are cores may always run; more of them
 * while the machine has nothing to do, since many wait most of the time. What a unit needs is not foretold: agents and
 * daemons are not among what a process has waited for, and on a busy machine there is no room for more at all.
 */
import type { Unit } from "./units.ts";

/** Less may be chance, or the beginning of a unit that has hardly started. */
const LEAST_IDLE_CORES = 0.4;

export interface Places {
  cores: number;
  /** At most so many at once. */
  jobs: number;
}

/** Null when the next one has to wait. The order is always the same for the same expectations. */
export const nextUnit = (
  waiting: readonly Unit[],
  running: number,
  /** How many cores had nothing to do of late. */
  idleCores: number,
  { cores, jobs }: Places,
): Unit | null => {
  const hasRoom = running < cores || idleCores >= LEAST_IDLE_CORES;
  if (running >= jobs || !hasRoom) return null;
  return longestFirst(waiting)[0] ?? null;
};

const longestFirst = (units: readonly Unit[]): Unit[] =>
  units.toSorted(
    (a, b) =>
      b.seconds - a.seconds ||
      (a.files[0] ?? "").localeCompare(b.files[0] ?? ""),
  );
