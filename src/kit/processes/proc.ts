/** What Linux tells of processes under /proc. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setImmediate as otherWork } from "node:timers/promises";
import { hasErrno } from "../errno.ts";

/** So many are looked at before other work gets its turn: about a millisecond. */
const AT_ONCE = 40;

/**
 * Looks at the environment of every process but this one. That of another user's process cannot be read, and a dead one's
 * is empty: neither is ours to end. Between a few of them other work is done; what is started meanwhile is looked at too.
 */
export const eachEnvironment = async (
  look: (pid: number, environ: Buffer) => void,
): Promise<void> => {
  const seen = new Set<number>([process.pid]);
  for (;;) {
    const fresh = pids().filter((pid) => !seen.has(pid));
    for (const [index, pid] of fresh.entries()) {
      if (index > 0 && index % AT_ONCE === 0) await otherWork();
      seen.add(pid);
      const environ = environOf(pid);
      if (environ !== null) look(pid, environ);
    }
    // The last look is at so few that nothing was started meanwhile which nobody looked at.
    if (fresh.length <= AT_ONCE) return;
  }
};

const pids = (): number[] =>
  readdirSync("/proc").map(Number).filter(Number.isInteger);

const environOf = (pid: number): Buffer | null => {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch (error) {
    // Whoever cannot look at a process must not take it for one without the mark.
    if (hasErrno(error, "EMFILE", "ENFILE", "ENOMEM")) throw error;
    return null;
  }
};

export interface ProcFacts {
  ppid: number;
  /** The pid of the first process of its group. */
  pgid: number;
  /** In ticks since the machine was started. */
  start_time: string;
  /** In milliseconds since 1970. */
  started_at: number;
  cpu_seconds: number;
  memory_bytes: number;
  command: string;
}

/** Linux counts in these towards programs, on every machine. */
const TICKS = 100;

/** Null when it is gone, or only its exit status is left. */
export const factsOf = (pid: number, maxCommand: number): ProcFacts | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in field 2 may hold anything: count from its end.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, ppid, pgid] = fields;
    if (state === "Z" || state === "X") return null;
    const [utime, stime, start] = [fields[11], fields[12], fields[19]];
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const resident = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
    return {
      ppid: Number(ppid),
      pgid: Number(pgid),
      start_time: start ?? "",
      started_at: (bootTime() + Number(start) / TICKS) * 1000,
      cpu_seconds: (Number(utime) + Number(stime)) / TICKS,
      memory_bytes: Number(resident ?? 0) * 1024,
      command: commandOf(pid, maxCommand),
    };
  } catch {
    return null;
  }
};

const commandOf = (pid: number, max: number): string => {
  const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
  const words = line.replace(/\0+$/, "").replaceAll("\0", " ");
  if (words.length <= max) return words;
  return `${words.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
};

/** In seconds since 1970. */
const bootTime = (): number =>
  Number(/^btime (\d+)$/m.exec(readFileSync("/proc/stat", "latin1"))?.[1]);

const MAX_DESCRIPTORS = 4096;

/** The TCP ports that a process listens on. `listeners` remembers those of a network namespace for the next process. */
export const listeningPorts = (
  pid: number,
  listeners: Map<string, ReadonlyMap<string, number>>,
): number[] => {
  try {
    const namespace = readlinkSync(`/proc/${pid}/ns/net`);
    const known = listeners.get(namespace) ?? listenersSeenBy(pid);
    listeners.set(namespace, known);
    if (known.size === 0) return [];
    const names = readdirSync(`/proc/${pid}/fd`).slice(0, MAX_DESCRIPTORS);
    const ports = names.flatMap((name) => {
      const inode = /^socket:\[(\d+)\]$/.exec(descriptor(pid, name))?.[1];
      return known.get(inode ?? "") ?? [];
    });
    return [...new Set(ports)].toSorted((a, b) => a - b);
  } catch {
    return [];
  }
};

const descriptor = (pid: number, name: string): string => {
  try {
    return readlinkSync(`/proc/${pid}/fd/${name}`);
  } catch {
    return "";
  }
};

/** Ports by the inodes of their sockets. */
const listenersSeenBy = (pid: number): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  for (const table of ["tcp", "tcp6"])
    for (const line of linesOf(`/proc/${pid}/net/${table}`)) {
      const [, local = "", , state, , , , , , inode = ""] = line
        .trim()
        .split(/\s+/);
      if (state === LISTEN)
        found.set(inode, Number.parseInt(local.split(":")[1] ?? "", 16));
    }
  return found;
};

const LISTEN = "0A";

const linesOf = (path: string): string[] => {
  try {
    return readFileSync(path, "latin1").split("\n").slice(1);
  } catch {
    return [];
  }
};
