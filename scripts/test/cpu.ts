/** What the machine's processors did, whoever gave them to do: also that of processes nobody waits for. */
import { cpus } from "node:os";

/** Of all cores together, since the machine started. */
export interface MachineTime {
  busyMs: number;
  idleMs: number;
}

export const machineTime = (): MachineTime => {
  const sum = { busyMs: 0, idleMs: 0 };
  for (const { times } of cpus()) {
    sum.busyMs += times.user + times.nice + times.sys + times.irq;
    sum.idleMs += times.idle;
  }
  return sum;
};

export const between = (
  before: MachineTime,
  after: MachineTime,
): MachineTime => ({
  busyMs: after.busyMs - before.busyMs,
  idleMs: after.idleMs - before.idleMs,
});

/** Which part of the time was idle, from 0 to 1. */
export const idlePart = ({ busyMs, idleMs }: MachineTime): number =>
  busyMs + idleMs === 0 ? 0 : idleMs / (busyMs + idleMs);
