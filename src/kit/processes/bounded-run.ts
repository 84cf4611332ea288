import { spawn } from "node:child_process";
import { LastBytes } from "./last-bytes.ts";

export interface BoundedRun {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** It is killed then. */
  deadlineMs: number;
  signal: AbortSignal;
  /** What it prints. It is killed when nothing more is wanted. */
  onOutput(chunk: Buffer): "more" | "enough";
}

/** How it ended. `stopped` names who ended it. */
export interface RunEnd {
  code: number | null;
  stopped: "deadline" | "enough" | "signal" | null;
  /** The end of what it said. */
  stderr: string;
}

const MAX_STDERR = 16 * 1024;

/** Runs a program that only looks, without a shell and without input, no longer than it is wanted. */
export const runBounded = async (run: BoundedRun): Promise<RunEnd> => {
  const { program, args, cwd, env, signal } = run;
  signal.throwIfAborted();
  const child = spawn(program, args, {
    cwd,
    env: { ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stopped: RunEnd["stopped"] = null;
  const stop = (why: NonNullable<RunEnd["stopped"]>) => (): void => {
    stopped ??= why;
    child.kill("SIGKILL");
  };
  const timer = setTimeout(stop("deadline"), run.deadlineMs);
  const leave = stop("signal");
  signal.addEventListener("abort", leave, { once: true });
  const stderr = new LastBytes(MAX_STDERR);
  child.stderr.on("data", (chunk: Buffer) => stderr.add(chunk));
  child.stdout.on("data", (chunk: Buffer) => {
    if (stopped === null && run.onOutput(chunk) === "enough") stop("enough")();
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    return { code, stopped, stderr: stderr.text() };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
};
