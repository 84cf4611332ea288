/** Processes, each named so that no other can be taken for it. */
import { readFileSync } from "node:fs";
import { kill } from "../../../src/kit/processes/marked-processes.ts";

/** A pid is used again one day; together with the time of its start it names one process for ever. */
export interface Process {
  pid: number;
  /** In the kernel's own unit. */
  start: string;
}

/** For sets of processes. */
export const keyOf = ({ pid, start }: Process): string => `${pid} ${start}`;

/** The process with this pid that runs now; null when there is none. A zombie is dead. */
export const processAt = (pid: number): Process | null => {
  const stat = readStat(pid);
  return stat === null ? null : { pid, start: stat.start };
};

export const parentOf = ({ pid, start }: Process): number | null => {
  const stat = readStat(pid);
  return stat?.start === start ? stat.parent : null;
};

export const isRunning = ({ pid, start }: Process): boolean =>
  readStat(pid)?.start === start;

/** Sends a signal to this very process, and to no other that got its pid. False when it is gone. */
export const signal = (process: Process, name: NodeJS.Signals): boolean =>
  isRunning(process) && kill(process.pid, name);

/** What stands in a file of a process, in parts; nothing when it is gone. */
export const partsOf = (pid: number, file: "environ" | "cmdline"): string[] => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0");
  } catch {
    return [];
  }
};

export const valueOf = (
  environ: readonly string[],
  name: string,
): string | null =>
  environ
    .find((entry) => entry.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? null;

/** Fields 3, 4 and 22, counted behind the name, which may hold anything. */
const readStat = (pid: number): { parent: number; start: string } | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, parent, start] = [fields[0], fields[1], fields[19]];
    if (state === "Z" || state === "X" || start === undefined) return null;
    return { parent: Number(parent), start };
  } catch {
    return null;
  }
};
