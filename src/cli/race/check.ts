/** The check of a race: the user's own command, in the workspace of a run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { World } from "../terminal/world.ts";

export interface CheckResult {
  /** Null where a signal ended it, or it could not be started. */
  exit_code: number | null;
  /** The end of what it printed. */
  output: string;
}

const MAX_OUTPUT = 4000;

export const runCheck = async (
  env: World["env"],
  command: string,
  cwd: string,
  signal: AbortSignal,
): Promise<CheckResult> => {
  signal.throwIfAborted();
  // The command is one argument, as the user typed it: nothing is put into it.
  const child = spawn("sh", ["-c", command], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that what it started ends with it.
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream
      .setEncoding("utf8")
      .on(
        "data",
        (piece: string) => (output = (output + piece).slice(-MAX_OUTPUT)),
      );
  const stop = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    } catch {
      // It has ended.
    }
  };
  signal.addEventListener("abort", stop);
  try {
    await once(child, "close");
    signal.throwIfAborted();
    return { exit_code: child.exitCode, output };
  } catch (error) {
    signal.throwIfAborted();
    return { exit_code: null, output: String(error) };
  } finally {
    signal.removeEventListener("abort", stop);
  }
};
