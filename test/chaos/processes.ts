/** Who runs in a house: its agentctl, its agents, and what they have started. */
import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";

export interface Seen {
  pid: number;
  kind: "agentctl" | "agent" | "wrapper" | "shell";
  /** The mark of its session: the name this run gave it, or the id of one that was forked. */
  session: string | null;
  execution: string | null;
  /** With the pid it names one process for ever. */
  start: string;
}

export const everyProcess = (home: string): Seen[] =>
  readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    return Number.isInteger(pid) ? (lookAt(pid, home) ?? []) : [];
  });

/** What it is now, or null when it is gone or none of ours. A dead process has no environment, so it is not seen. */
export const lookAt = (pid: number, home: string): Seen | null => {
  const environ = parts(pid, "environ");
  const argv = parts(pid, "cmdline");
  const start = startOf(pid);
  if (start === null) return null;
  if (argv.includes(home) && argv.some((word) => word.endsWith("/agentctl.js")))
    return { pid, kind: "agentctl", session: null, execution: null, start };
  const session = valueOf(environ, "CHAOS_SESSION");
  const execution = valueOf(environ, "REPRISE_EXECUTION");
  if (session === null || execution === null) return null;
  if (valueOf(environ, "CHAOS_HOME") !== home) return null;
  return {
    pid,
    kind: kindOf(argv),
    session: forkAt(pid, home) ?? session,
    execution,
    start,
  };
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

const kindOf = (argv: readonly string[]): Seen["kind"] => {
  if (!argv.some((word) => word.endsWith("/demo-agent.js"))) return "shell";
  return argv[0]?.endsWith("sh") === true ? "wrapper" : "agent";
};

const parts = (pid: number, file: "environ" | "cmdline"): string[] => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0");
  } catch {
    return [];
  }
};

const valueOf = (environ: readonly string[], name: string): string | null =>
  environ
    .find((entry) => entry.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? null;

/** Field 22, counted behind the name, which may hold anything. A zombie is dead. */
const startOf = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
};
