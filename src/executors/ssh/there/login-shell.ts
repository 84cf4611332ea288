/**
 * agentctl gets what the user of the host gets at a login: their login shell starts it. What it is to run goes to it in
 * variables, because shells differ in how they quote and agree in how they read `"$NAME"`.
 */
import { basename } from "node:path";
import { daemonEnvironment } from "../../standalone/environment.ts";

/** Those that take `-l` together with `-c`. */
const SHELLS = new Set([
  "ash",
  "bash",
  "dash",
  "fish",
  "ksh",
  "mksh",
  "sh",
  "zsh",
]);

export const inLoginShell = (
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): { file: string; args: string[]; env: Record<string, string> } => {
  const own = env["SHELL"] ?? "";
  const name = (index: number): string => `REPRISE_ARG_${index}`;
  const words = command.map((_, index) => `"$${name(index)}"`);
  return {
    file: SHELLS.has(basename(own)) ? own : "/bin/sh",
    args: ["-l", "-c", `exec ${words.join(" ")}`],
    // Nothing of the connection: it is gone when agents still run.
    env: {
      ...daemonEnvironment(env),
      ...Object.fromEntries(command.map((word, index) => [name(index), word])),
    },
  };
};
