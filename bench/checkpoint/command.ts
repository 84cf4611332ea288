/** Running a peer, and telling what was run. */
import { spawnSync } from "node:child_process";

export interface Command {
  program: string;
  args: readonly string[];
  cwd?: string;
  env?: Record<string, string>;
}

/** As one would type it. */
export const asTyped = ({ program, args, env = {} }: Command): string =>
  [
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    program,
    ...args.map((arg) => (/^[\w./=:,@-]+$/.test(arg) ? arg : `'${arg}'`)),
  ].join(" ");

/** Runs it to its end and returns the seconds it took. What it prints goes nowhere. */
export const run = (command: Command): number => {
  const { program, args, cwd, env } = command;
  const start = performance.now();
  const { status, signal, stderr, error } = spawnSync(program, args, {
    ...(cwd !== undefined && { cwd }),
    env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const seconds = (performance.now() - start) / 1000;
  if (error !== undefined) throw error;
  if (status !== 0)
    throw new Error(
      `${asTyped(command)} ended with ${status ?? signal}: ${stderr.toString()}`,
    );
  return seconds;
};

/** Several in a row, as one. */
export const runAll = (commands: readonly Command[]): number =>
  commands.reduce((seconds, command) => seconds + run(command), 0);
