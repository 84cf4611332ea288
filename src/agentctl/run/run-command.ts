/**
 * Runs one command, and sees everything that it started gone.
 *
 *     started ──► over by itself ─────────────────┐
 *        ├── deadline ──┐                         ├──► all that bears its mark is killed ──► what it printed last is read
 *        └── cancelled ─┴─ SIGTERM, a second ─────┘
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import {
  type CommandOutcome,
  MAX_COMMAND_OUTPUT,
} from "../../contract/session/process.ts";
import {
  endMarked,
  kill,
  markedProcesses,
} from "../../kit/processes/marked-processes.ts";
import { OutputTail } from "./output-tail.ts";

export interface Command {
  argv: readonly string[];
  cwd: string;
  /** All that it gets. The mark is in it. */
  env: Record<string, string>;
  /** `NAME=value`: everything that it starts has it. */
  mark: string;
  stdin: string;
  timeoutMs: number;
  /** Then the program between us and it is not asked to end: that would kill what is in the sandbox at once. */
  isSandboxed: boolean;
}

export interface Ran extends CommandOutcome {
  stdout: Buffer;
  stderr: Buffer;
  /** False when something of it could not be ended. */
  allGone: boolean;
}

/** Between asking and killing. */
const GRACE_MS = 1000;
/** For what is in the kernel's hands. */
const END_MS = 5000;
/** Somebody who shed the mark may hold the pipes for ever. */
const LAST_WORDS_MS = 500;

/** Rejects with the system's error when it cannot be started. */
export const runCommand = async (
  { argv, cwd, env, mark, stdin, timeoutMs, isSandboxed }: Command,
  cancelled: AbortSignal,
): Promise<Ran> => {
  const started = performance.now();
  const [program = "", ...args] = argv;
  const child = spawn(program, args, {
    cwd,
    env,
    // In a process session of its own: it has no terminal, and its group can be signalled.
    detached: true,
    stdio: "pipe",
  });
  const exit = new Promise<readonly [number | null, string | null]>((resolve) =>
    child.once("exit", (code, signal) => resolve([code, signal])),
  );
  await once(child, "spawn");
  const stdout = new OutputTail(MAX_COMMAND_OUTPUT);
  const stderr = new OutputTail(MAX_COMMAND_OUTPUT);
  const read = Promise.all([
    gather(child.stdout, stdout),
    gather(child.stderr, stderr),
  ]);
  // It need not read what it is given.
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
  const why = await untilOver(exit, timeoutMs, cancelled);
  if (why !== "exited") await askToEnd(child, { mark, isSandboxed }, exit);
  const allGone = await endMarked(mark, END_MS);
  // Its mark may be gone from what it is now: as long as we have not heard of its end, the number is its own.
  if (child.exitCode === null && child.signalCode === null)
    kill(-(child.pid ?? 0), "SIGKILL");
  const [exit_code, signal] = await exit;
  await Promise.race([read, pause(LAST_WORDS_MS, undefined, { ref: false })]);
  for (const stream of child.stdio) stream?.destroy();
  return {
    exit_code,
    signal,
    timed_out: why === "deadline",
    cancelled: why === "cancelled",
    stdout_bytes: stdout.bytes,
    stderr_bytes: stderr.bytes,
    took_ms: Math.round(performance.now() - started),
    pid: child.pid ?? 0,
    stdout: stdout.end(),
    stderr: stderr.end(),
    allGone,
  };
};

const untilOver = async (
  exit: Promise<unknown>,
  timeoutMs: number,
  cancelled: AbortSignal,
): Promise<"exited" | "deadline" | "cancelled"> => {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, cancelled]);
  const deadline = pause(timeoutMs, "deadline" as const, { signal }).catch(
    () => "cancelled" as const,
  );
  const why = await Promise.race([
    exit.then(() => "exited" as const),
    deadline,
  ]);
  over.abort();
  return why;
};

const askToEnd = async (
  { pid = 0 }: ChildProcess,
  { mark, isSandboxed }: Pick<Command, "mark" | "isSandboxed">,
  exit: Promise<unknown>,
): Promise<void> => {
  if (!isSandboxed) kill(-pid, "SIGTERM");
  for (const each of await markedProcesses(mark))
    if (!isSandboxed || each !== pid) kill(each, "SIGTERM");
  await Promise.race([exit, pause(GRACE_MS, undefined, { ref: false })]);
};

/** So much is read before whoever else has work gets a moment: a flood is slowed down instead of them. */
const AT_ONCE = 1024 * 1024;
const MOMENT_MS = 5;

const gather = async (stream: Readable, tail: OutputTail): Promise<void> => {
  const pieces: AsyncIterable<Buffer> = stream;
  let sinceMoment = 0;
  try {
    for await (const piece of pieces) {
      tail.push(piece);
      sinceMoment += piece.length;
      if (sinceMoment < AT_ONCE) continue;
      sinceMoment = 0;
      await pause(MOMENT_MS);
    }
  } catch {
    // It was let go: what came until then is what there is.
  }
};
