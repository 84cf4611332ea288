/** Everything that runs for a house, by the marks that its processes inherit: for what must not be there any more. */
import { readdirSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { partsOf, processAt, valueOf, type Process } from "./processes.ts";

export interface Marked extends Process {
  /** The mark of its session: the name this run gave it, or the id of one that was forked. */
  session: string;
  execution: string;
  /** Its command line, to be shown. */
  command: string;
}

export const markedIn = (home: string): Marked[] =>
  readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || isOld(pid)) return [];
    return lookAt(pid, home) ?? [];
  });

/** Every agentctl of a home: the one that holds it, and those that would like to. */
export const daemonsIn = (home: string): Process[] =>
  readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || isOld(pid)) return [];
    const argv = partsOf(pid, "cmdline");
    const isDaemon =
      argv.includes(home) && argv.some((word) => word.endsWith("/agentctl.js"));
    return (isDaemon ? processAt(pid) : null) ?? [];
  });

/** What it is now, or null when it is gone or none of ours. A dead process has no environment, so it is not seen. */
const lookAt = (pid: number, home: string): Marked | null => {
  const environ = partsOf(pid, "environ");
  if (valueOf(environ, "CHAOS_HOME") !== home) return null;
  const session = valueOf(environ, "CHAOS_SESSION");
  const execution = valueOf(environ, "REPRISE_EXECUTION");
  const process = processAt(pid);
  if (session === null || execution === null || process === null) return null;
  return {
    ...process,
    session: forkAt(pid, home) ?? session,
    execution,
    command: partsOf(pid, "cmdline").join(" ").trim().slice(0, 100),
  };
};

/** Who was there before us is none of ours, and most of what runs on a machine was. */
const old = new Map(
  readdirSync("/proc").flatMap((name): [number, string][] => {
    const there = processAt(Number(name));
    return there === null ? [] : [[there.pid, there.start]];
  }),
);

const isOld = (pid: number): boolean => {
  const start = old.get(pid);
  if (start === undefined) return false;
  if (processAt(pid)?.start === start) return true;
  old.delete(pid);
  return false;
};

/** A fork has its parent's environment, and a directory of its own. */
const forkAt = (pid: number, home: string): string | null => {
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    return (
      /^ses_\w+/.exec(relative(join(home, "workspaces"), cwd))?.[0] ?? null
    );
  } catch {
    return null;
  }
};
