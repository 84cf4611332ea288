/**
 * The PATH of the terminal that the agent of a session was last started from. Nothing else of its environment is kept: the
 * server forgets that with its process, and an agent that is brought back must be the program that ran.
 */
import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { SessionId } from "../../contract/base/id.ts";
import type { PathFrom } from "../../contract/link/link-workspace.ts";
import {
  remove,
  sweepDrafts,
  writeDurably,
} from "../../kit/files/durable-file.ts";
import { readPlain } from "../../kit/files/read-plain.ts";
import type { Daemon } from "./daemon.ts";
import { startedOverOwn } from "./own-environment.ts";

type Keeping = Pick<Daemon, "directory" | "ownEnvironment">;

interface Started {
  env: Record<string, string>;
  path_from?: PathFrom | undefined;
}

/** What is kept for one session alone. */
export const pathsOf = (
  { directory }: Pick<Daemon, "directory">,
  session: SessionId,
): string => join(directory, "paths", session);

const fileOf = (
  daemon: Pick<Daemon, "directory">,
  session: SessionId,
): string => join(pathsOf(daemon, session), "PATH");

/**
 * Where nobody's terminal is known, what was kept comes before the server's own PATH. On a machine of its own agentctl has
 * the PATH that counts.
 */
export const withKeptPath = async <T extends Started>(
  daemon: Keeping,
  session: SessionId,
  started: T,
): Promise<T> => {
  if (daemon.ownEnvironment !== null)
    return startedOverOwn(daemon.ownEnvironment, started);
  if (started.path_from !== "server") return started;
  const kept = await keptIn(fileOf(daemon, session));
  const paths = [kept ?? "", started.env["PATH"] ?? ""];
  const PATH = paths.filter((path) => path !== "").join(delimiter);
  return { ...started, env: { ...started.env, PATH } };
};

/** Null for what cannot be a PATH that we kept: with a damaged one the agent could not be started, and its words would be shown. */
const keptIn = async (file: string): Promise<string | null> => {
  const path = await readPlain(file, MAX_BYTES).catch(() => null);
  return path !== null && isSound(path) ? path : null;
};

/** One variable may have 128 KiB, and what agents are found in is far shorter. */
const MAX_BYTES = 32 * 1024;

const isSound = (path: string): boolean =>
  Buffer.byteLength(path) <= MAX_BYTES && !/[\0\n]/.test(path);

export const keepPath = async (
  daemon: Keeping,
  session: SessionId,
  { env, path_from }: Started,
): Promise<void> => {
  const path = env["PATH"];
  if (path_from !== "caller" || path === undefined) return;
  if (daemon.ownEnvironment !== null) return;
  const file = fileOf(daemon, session);
  if (!isSound(path)) return remove(file);
  if ((await keptIn(file)) === path) return;
  await mkdir(pathsOf(daemon, session), { recursive: true, mode: 0o700 });
  await sweepDrafts(file);
  await writeDurably(file, path);
};
