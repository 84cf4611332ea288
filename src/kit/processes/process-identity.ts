import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { hasErrno } from "../errno.ts";

/** A pid alone is used again by another process one day; together with these it names one process for ever. */
export interface ProcessIdentity {
  boot_id: string;
  pid: number;
  start_time: string;
}

/** The identity of a process that runs now, or null when there is none with this pid. A zombie is dead. */
export const identify = async (
  pid: number,
): Promise<ProcessIdentity | null> => {
  const start_time = await startTime(pid);
  return start_time === null
    ? null
    : { boot_id: await bootId(), pid, start_time };
};

/** Whether this very process still runs. */
export const isRunning = async (known: ProcessIdentity): Promise<boolean> => {
  const now = await identify(known.pid);
  return (
    now !== null &&
    now.boot_id === known.boot_id &&
    now.start_time === known.start_time
  );
};

/** Ends this very process, and no other that got its pid, and resolves when it is gone. */
export const endProcess = async (known: ProcessIdentity): Promise<void> => {
  for (let sent = false; await isRunning(known); sent = true) {
    if (!sent) signal(known.pid, "SIGKILL");
    await delay(5);
  }
};

/** Asks this very process to end, and tells whether it is gone within the time. */
export const askToEnd = async (
  known: ProcessIdentity,
  withinMs: number,
): Promise<boolean> => {
  if (await isRunning(known)) signal(known.pid, "SIGTERM");
  const deadline = performance.now() + withinMs;
  while (await isRunning(known)) {
    if (performance.now() > deadline) return false;
    await delay(20);
  }
  return true;
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasErrno(error, "ESRCH")) throw error;
  }
};

const run = promisify(execFile);

const startTime = async (pid: number): Promise<string | null> =>
  process.platform === "linux" ? linuxStartTime(pid) : psStartTime(pid);

/** Field 22 of /proc/<pid>/stat. The name in field 2 may hold anything, spaces and parentheses too: count from its end. */
const linuxStartTime = (pid: number): string | null => {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return null;
  }
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields[0];
  return state === "Z" || state === "X" ? null : (fields[19] ?? null);
};

const psStartTime = async (pid: number): Promise<string | null> => {
  try {
    const { stdout } = await run("/bin/ps", [
      "-o",
      "stat=,lstart=",
      "-p",
      `${pid}`,
    ]);
    const [state = "Z", ...rest] = stdout.trim().split(/\s+/);
    return state.startsWith("Z") ? null : rest.join(" ");
  } catch {
    return null;
  }
};

let boot: string | undefined;

/** Different after every start of the machine. */
export const bootId = async (): Promise<string> => {
  boot ??=
    process.platform === "linux"
      ? readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
      : (
          await run("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"])
        ).stdout.trim();
  return boot;
};
