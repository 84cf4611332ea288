/** What lies in a workspace and is none of its files: our own home, the agents' homes, views of the kernel. */
import { realpath } from "node:fs/promises";
import { relative } from "node:path";
import {
  ownDirectories,
  type Person,
} from "../../../agents/state/agent-home.ts";
import { knownAgents } from "../../../agents/registry.ts";
import { isInside } from "../../../kit/files/is-inside.ts";
import type { Mounts } from "./pseudo-mounts.ts";

/** Absolute real paths in the root, and why each is left out. */
export type NotCaptured = ReadonlyMap<string, string>;

/** Agents' homes hold logins, and the transcripts of all sessions: a rewind of one must not take the others back. */
export const notCaptured = async (
  root: string,
  { ours, mounts, env }: { ours: string; mounts: Mounts; env: Env },
): Promise<NotCaptured> => {
  const found = new Map([[ours, "it belongs to Reprise itself"]]);
  for (const directory of await agentDirectories(env))
    found.set(directory, "it belongs to an agent");
  for (const [path, kind] of mounts)
    found.set(path, `it is a ${kind} file system, which holds no files`);
  return new Map(
    [...found].filter(([path]) => path !== root && isInside(path, root)),
  );
};

/** The same for whoever asks about a path in the workspace. */
export const whyNotCaptured = (
  root: string,
  paths: NotCaptured,
): ReadonlyMap<string, string> =>
  new Map([...paths].map(([path, why]) => [relative(root, path), why]));

export type Env = Readonly<Record<string, string | undefined>>;

const agentDirectories = async (env: Env): Promise<string[]> => {
  const person = personOf(env);
  if (person.home === "") return [];
  const directories = knownAgents({}).flatMap(({ home }) =>
    home === undefined ? [] : ownDirectories(home, person),
  );
  return Promise.all(
    directories.map((each) => realpath(each).catch(() => each)),
  );
};

const personOf = (env: Env): Person => ({
  home: env["HOME"] ?? "",
  env: Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  ),
});
