import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { eachEnvironment } from "./proc.ts";

/**
 * Processes that were started with `NAME=value` in their environment, and all they started since: the mark is
 * inherited, so it finds what has left the process group and the session of its parent.
 */
export const markedProcesses = async (mark: string): Promise<number[]> =>
  process.platform === "linux" ? markedInProc(mark) : markedByPs(mark);

/** Those of these marks that living processes bear: all are looked for in one go. */
export const marksInUse = async (
  marks: readonly string[],
): Promise<Set<string>> => {
  const wanted = new Set(marks);
  if (wanted.size === 0) return wanted;
  const found = new Set<string>();
  const look = (entries: readonly string[]): void => {
    for (const entry of entries) if (wanted.has(entry)) found.add(entry);
  };
  if (process.platform === "linux")
    await eachEnvironment((_, environ) => look(environ.toString().split("\0")));
  else for (const line of await psLines()) look(line.split(" "));
  return found;
};

/** Ends every process that bears the mark. False when some are still there after `ms`. */
export const endMarked = async (mark: string, ms: number): Promise<boolean> => {
  const until = performance.now() + ms;
  // A process that is just starting another program shows an empty environment for an instant: one empty look is no proof.
  for (let empty = 0; empty < 2;) {
    const pids = await markedProcesses(mark);
    if (pids.length === 0) {
      empty += 1;
      continue;
    }
    if (performance.now() > until) return false;
    empty = 0;
    for (const pid of pids) kill(pid, "SIGKILL");
    await pause(2);
  }
  return true;
};

/** Sends a signal to a process (or, with a negative number, to a group) that may be gone already. */
export const kill = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
};

const markedInProc = async (mark: string): Promise<number[]> => {
  const needle = Buffer.from(`${mark}\0`);
  const found: number[] = [];
  await eachEnvironment((pid, environ) => {
    if (holds(environ, needle)) found.push(pid);
  });
  return found;
};

const holds = (environ: Buffer, needle: Buffer): boolean => {
  for (let at = environ.indexOf(needle); at !== -1;) {
    if (at === 0 || environ[at - 1] === 0) return true;
    at = environ.indexOf(needle, at + 1);
  }
  return false;
};

const run = promisify(execFile);

const psLines = async (): Promise<string[]> => {
  const { stdout } = await run("/bin/ps", ["eww", "-axo", "pid=,command="], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split("\n");
};

const markedByPs = async (mark: string): Promise<number[]> =>
  (await psLines())
    .filter((line) => line.split(" ").includes(mark))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid !== process.pid);
