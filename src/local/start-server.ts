/** Starts the server of a home for a program that finds none: it outlives us, and whoever is quicker is the one that serves. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { RepriseError } from "../contract/problem/problem.ts";
import { cleanEnvironment } from "../kit/processes/clean-environment.ts";
import {
  checkHome,
  DEFAULT_URL,
  findServerProcess,
  readServerFile,
  runningServer,
} from "./find-server.ts";
import { homeOf } from "./home.ts";
import type { Surroundings } from "./surroundings.ts";

/** How long a server may take until it has an address: it may have to read a large database first. */
const START_MS = 60_000;
const POLL_MS = 25;

/** Resolves when a server of the home takes requests, ours or one that somebody else started meanwhile. */
export const startServer = async (
  executable: string,
  where: Surroundings,
): Promise<void> => {
  const home = homeOf(where);
  await checkHome(home);
  await using output = await unlinkedFile();
  using server = startOrphan(
    executable,
    ["up", "--home", home, ...(await portOptions(where))],
    output.fd,
    environmentOf(where),
  );
  for (const until = Date.now() + START_MS; ;) {
    // Asked before we look: one that ended just now may have made way for another, which takes its time as well.
    const isOver =
      Date.now() > until || (server.hasEnded() && !(await isStarting(home)));
    if (await isServing(home)) return;
    if (isOver)
      throw new RepriseError(
        "cannot_start",
        `No server runs for ${home}, and none could be started${await outputText(output)} Start one with \`reprise up\` to see why.`,
      );
    await delay(POLL_MS);
  }
};

interface Orphan extends Disposable {
  hasEnded(): boolean;
}

/**
 * A program in a session of its own, whose parent is not us: some clients end all descendants of the program that they started.
 * The shell between us is gone at once. The program holds the other end of our pipe for as long as it runs.
 */
const startOrphan = (
  file: string,
  args: readonly string[],
  output: number,
  env: Record<string, string>,
): Orphan => {
  const shell = spawn("/bin/sh", ["-c", '"$@" &', "sh", file, ...args], {
    detached: true,
    stdio: ["ignore", output, output, "pipe"],
    env,
  });
  shell.unref();
  let ended = false;
  const end = (): void => void (ended = true);
  shell.once("error", end);
  const pipe = shell.stdio[3];
  if (pipe instanceof Socket) pipe.on("error", end).on("close", end).resume();
  return {
    hasEnded: () => ended,
    [Symbol.dispose]: () => pipe?.destroy(),
  };
};

const isServing = async (home: string): Promise<boolean> => {
  const file = await readServerFile(home);
  return file !== null && (await runningServer(file)) !== null;
};

const isStarting = async (home: string): Promise<boolean> =>
  (await findServerProcess(home)) !== null;

/** Nothing of the agent in whose terminal we may run: the server is nobody's child. */
const environmentOf = ({ env }: Surroundings): Record<string, string> => {
  const port = env["REPRISE_PORT"];
  return {
    ...cleanEnvironment(env),
    ...(port === undefined ? {} : { REPRISE_PORT: port }),
  };
};

/** The usual port where it is free, so that addresses that people wrote down stay true; else any. */
const portOptions = async ({ env }: Surroundings): Promise<string[]> => {
  if (env["REPRISE_PORT"] !== undefined) return [];
  const { hostname, port } = new URL(DEFAULT_URL);
  return (await isFree(hostname, Number(port))) ? [] : ["--port", "0"];
};

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ host, port, exclusive: true }, () =>
      probe.close(() => resolve(true)),
    );
  });

/** Holds what a server prints that cannot start. It is unlinked at once, so nobody has to remove it. */
const unlinkedFile = async (): Promise<FileHandle> => {
  const path = join(tmpdir(), `reprise-start-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  await unlink(path);
  return file;
};

const outputText = async (file: FileHandle): Promise<string> => {
  const { buffer, bytesRead } = await file.read({ position: 0, length: 2000 });
  const text = buffer.toString("utf8", 0, bytesRead).trim();
  return text === "" ? "." : `: ${text}`;
};
