/** Where git keeps what it knows of a directory. Starting git to ask costs more than looking, and git waits for FIFOs. */
import { lstat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readPlain } from "../../../kit/files/read-plain.ts";
import { GIT_LINK, MAX_BYTES } from "./git-link.ts";

/** A directory in which git finds its repository, or the directory that git itself keeps, wherever that lies. */
export type Where = string | { gitDirectory: string };

/** The `.git` of a directory, or of one above it. */
export const repositoryAbove = async (
  directory: string,
): Promise<string | null> => {
  const link = join(directory, GIT_LINK);
  const found = await lstat(link).catch(() => null);
  if (found?.isDirectory() || found?.isFile() || found?.isSymbolicLink())
    return link;
  const above = dirname(directory);
  return above === directory ? null : repositoryAbove(above);
};

/** A worktree has a file there that leads to it. */
export const gitDirectoryOf = async (link: string): Promise<string> => {
  const path = /^gitdir: (.+)/.exec((await textOf(link)) ?? "")?.[1];
  return path === undefined ? link : resolve(dirname(link), path);
};

/** What all worktrees of a repository have in common lies there. */
export const commonDirectoryOf = async (directory: string): Promise<string> => {
  const text = await textOf(join(directory, "commondir"));
  return text === null ? directory : resolve(directory, text.trim());
};

const textOf = (path: string): Promise<string | null> =>
  readPlain(path, MAX_BYTES, { follow: true }).catch(() => null);
