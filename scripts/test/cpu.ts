/** Processor time, as Linux counts it. Elsewhere nothing is known. */
import { readFileSync } from "node:fs";

/** What the machine did in all: ticks of every core. */
export interface MachineTime {
  busy: number;
  all: number;
}

/** The machine's time since it started; null where it is not told. */
export const machineTime = (): MachineTime | null => {
  const line = read("/proc/stat")?.split("\n")[0];
  if (line === undefined) return null;
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, ...rest] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  // What guests used is counted among the user's already.
  const [irq = 0, softirq = 0, steal = 0] = rest;
  const busy = user + nice + system + irq + softirq + steal;
  return { busy, all: busy + idle + iowait };
};

/** How busy the machine was between two looks, in percent. */
export const busyBetween = (
  before: MachineTime | null,
  after: MachineTime | null,
): number | null =>
  before === null || after === null || after.all === before.all
    ? null
    : Math.round((100 * (after.busy - before.busy)) / (after.all - before.all));

const read = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
};
