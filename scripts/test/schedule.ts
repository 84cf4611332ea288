/** Which unit starts next: the longest of those for which the processors have room. */
import type { Unit } from "./units.ts";

/** More than all cores, because a unit does not use its share all the time. */
const ROOM_PER_CORE = 1.25;
/** Who waits most of the time still starts processes now and then. */
const LEAST_LOAD = 0.2;

export interface Places {
  cores: number;
  /** At most so many at once. */
  jobs: number;
}

/** How many cores a unit keeps busy on average. */
export const loadOf = ({ time }: Unit): number =>
  Math.max(LEAST_LOAD, time.cpu / Math.max(time.seconds, 0.1));

/** Null when the next one has to wait for one that runs. The order is always the same for the same expectations. */
export const nextUnit = (
  waiting: readonly Unit[],
  running: readonly Unit[],
  { cores, jobs }: Places,
): Unit | null => {
  if (running.length >= jobs) return null;
  const room =
    cores * ROOM_PER_CORE - running.reduce((sum, one) => sum + loadOf(one), 0);
  return (
    longestFirst(waiting).find((unit) => loadOf(unit) <= room) ??
    (running.length === 0 ? (longestFirst(waiting)[0] ?? null) : null)
  );
};

const longestFirst = (units: readonly Unit[]): Unit[] =>
  units.toSorted(
    (a, b) =>
      b.time.seconds - a.time.seconds ||
      (a.files[0] ?? "").localeCompare(b.files[0] ?? ""),
  );
