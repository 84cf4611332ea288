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
  youngPids().flatMap((pid) => lookAt(pid, home) ?? []);

/** Every agentctl of a home: the one that holds it, and those that would like to. */
export const daemonsIn = (home: string): Process[] =>
  youngPids().flatMap((pid) => {
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
  const cwd = directoryOf(pid);
  const process = processAt(pid);
  if (
    session === null ||
    execution === null ||
    cwd === null ||
    process === null
  )
    return null;
  return {
    ...process,
    session: forkIn(cwd, home) ?? session,
    execution,
    command: partsOf(pid, "cmdline").join(" ").trim().slice(0, 100),
  };
};

const allPids = (): Set<number> =>
  new Set(
    readdirSync("/proc")
      .map(Number)
      .filter((pid) => Number.isInteger(pid)),
  );

/** Who was there before us is none of ours, and most of what runs on a machine was. */
const old = allPids();

/** Who is missing once is gone: the next one with that pid is young, and comes long after the next look. */
const youngPids = (): number[] => {
  const there = allPids();
  for (const pid of old) if (!there.has(pid)) old.delete(pid);
  return [...there].filter((pid) => !old.has(pid));
};

/** Null when it is about to die: it loses its directory before it counts as dead, and without that nobody knows whose it is. */
const directoryOf = (pid: number): string | null => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
};

/** A fork has its parent's environment, and a directory of its own. */
const forkIn = (cwd: string, home: string): string | null =>
  /^ses_\w+/.exec(relative(join(home, "workspaces"), cwd))?.[0] ?? null;
