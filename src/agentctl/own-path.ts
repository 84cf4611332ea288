/**
 * The PATH of the terminal that the agent of a session was last started from. Nothing else of its environment is kept: the
 * server forgets that with its process, and an agent that is brought back must be the program that ran.
 */
import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { SessionId } from "../contract/id.ts";
import type { PathFrom } from "../contract/link-workspace.ts";
import { readIfThere, sweepDrafts, writeDurably } from "../kit/durable-file.ts";
import type { Place } from "./place.ts";

interface Started {
  env: Record<string, string>;
  path_from?: PathFrom | undefined;
}

/** What is kept for one session alone. */
export const pathsOf = (
  { directory }: Pick<Place, "directory">,
  session: SessionId,
): string => join(directory, "paths", session);

const fileOf = (place: Pick<Place, "directory">, session: SessionId): string =>
  join(pathsOf(place, session), "PATH");

/** Where nobody's terminal is known, what was kept comes before the server's own PATH. */
export const withOwnPath = async <T extends Started>(
  place: Pick<Place, "directory">,
  session: SessionId,
  started: T,
): Promise<T> => {
  if (started.path_from !== "server") return started;
  const kept = await readIfThere(fileOf(place, session)).catch(() => null);
  const paths = [kept ?? "", started.env["PATH"] ?? ""];
  const PATH = paths.filter((path) => path !== "").join(delimiter);
  return { ...started, env: { ...started.env, PATH } };
};

export const keepPath = async (
  place: Pick<Place, "directory">,
  session: SessionId,
  { env, path_from }: Started,
): Promise<void> => {
  const path = env["PATH"];
  if (path_from !== "caller" || path === undefined) return;
  const file = fileOf(place, session);
  if ((await readIfThere(file)) === path) return;
  await mkdir(pathsOf(place, session), { recursive: true, mode: 0o700 });
  await sweepDrafts(file);
  await writeDurably(file, path);
};
