import { spawn } from "node:child_process";
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { placeDurably } from "../../kit/files/durable-file.ts";
import type { LogLimits } from "../../kit/files/log-file.ts";
import { daemonEnvironment } from "./environment.ts";
import type { Installation } from "./install.ts";

const MEBIBYTE = 1024 * 1024;
/** Little is printed: the words of a daemon that could not start, and of one that broke. */
const MAX_OUTPUT_BYTES = MEBIBYTE;

export interface SpawnedDaemon {
  /** Undefined when it could not be run. */
  readonly pid: number | undefined;
  readonly ended: Promise<Ended>;
  /** The end of what it printed. */
  lastWords(): Promise<string>;
}

export interface Ended {
  code: number | null;
  /** What killed it, if something did. */
  signal: NodeJS.Signals | null;
  words: string;
}

export interface DaemonSettings {
  home: string;
  /** The home's `agentctl`. */
  directory: string;
  socketPath: string;
  logLimits: LogLimits;
}

/** Starts a daemon of our own installation, with nothing of our environment that it does not need. */
export const spawnDaemon = (
  installation: Installation,
  { env, ...settings }: DaemonSettings & { env: NodeJS.ProcessEnv },
): Promise<SpawnedDaemon> =>
  spawnApart(
    {
      file: installation.node,
      args: daemonArguments(installation, settings),
      env: daemonEnvironment(env),
    },
    settings,
  );

/** For Node: the program and its arguments. */
export const daemonArguments = (
  { agentctl, build }: Pick<Installation, "agentctl" | "build">,
  { home, socketPath, logLimits }: DaemonSettings,
): string[] => [
  agentctl,
  "--home",
  home,
  "--socket",
  socketPath,
  "--build",
  build,
  "--log-mb",
  `${logLimits.maxBytes / MEBIBYTE}`,
  "--log-files",
  `${logLimits.files}`,
];

/** Starts a daemon that outlives us: its own process session, no pipe between us. */
export const spawnApart = async (
  {
    file,
    args,
    env,
  }: { file: string; args: readonly string[]; env: NodeJS.ProcessEnv },
  where: Pick<DaemonSettings, "home" | "directory">,
): Promise<SpawnedDaemon> => {
  const outputPath = join(where.directory, "agentctl.out");
  await setAside(outputPath);
  await using output = await open(outputPath, "a", 0o600);
  const { size } = await output.stat();
  const child = spawn(file, args, {
    detached: true,
    stdio: ["ignore", output.fd, output.fd],
    cwd: where.home,
    env,
  });
  child.unref();
  return {
    pid: child.pid,
    ended: new Promise((resolve) => {
      child.once("error", (error) =>
        resolve({
          code: null,
          signal: null,
          words: `cannot be run: ${error.message}`,
        }),
      );
      child.once("exit", (code, signal) =>
        resolve({
          code,
          signal,
          words: signal
            ? `was killed by ${signal}`
            : `exited with code ${code}`,
        }),
      );
    }),
    lastWords: async () =>
      (await readFile(outputPath))
        .subarray(size)
        .toString()
        .trim()
        .slice(-2000),
  };
};

/** What daemons printed long ago; one file of it is kept. */
const setAside = async (outputPath: string): Promise<void> => {
  const found = await stat(outputPath).catch(() => null);
  if (found !== null && found.size > MAX_OUTPUT_BYTES)
    await placeDurably(outputPath, `${outputPath}.1`);
};
