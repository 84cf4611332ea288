/**
 * Repositories that lie in a workspace. What git keeps there is more than the workspace's own: a branch, a stash, another
 * worktree may be anybody's. A git directory is known by what each of them has, whatever its name.
 */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Vault } from "../../checkpoint/vault.ts";
import { fileIn, within } from "./tree-file.ts";

export interface Repositories {
  /** Paths of git directories, within the workspace, that were there then and are there now. */
  kept: string[];
  /** Those that came since and have other worktrees: who works there would lose the repository. */
  lent: string[];
}

/** Not the workspace's: what all worktrees of a repository have in common, and how HEAD came to be where it is. */
const COMMON = [
  "HEAD",
  "logs",
  "objects",
  "packed-refs",
  "refs",
  "reftable",
  "shallow",
  "worktrees",
];

/** Of those that have changed. A change that matters here is at one of the names that all of them have. */
export const repositoriesIn = async (
  vault: Vault,
  root: string,
  tree: string,
  changed: readonly { path: string }[],
): Promise<Repositories> => {
  const found: Repositories = { kept: [], lent: [] };
  for (const path of placesOf(changed)) {
    if (!(await isGitDirectory(join(root, path)))) continue;
    const head = await fileIn(vault, tree, within(path, "HEAD"));
    if (head !== null) found.kept.push(path);
    else if (await hasWorktrees(join(root, path))) found.lent.push(path);
  }
  return found;
};

/** What a rewind leaves to git. */
export const leftToGit = ({ kept, lent }: Repositories): string[] => [
  ...kept.flatMap((path) => COMMON.map((name) => within(path, name))),
  ...lent,
];

/** At one of these paths, or beneath it. */
export const isAmong =
  (paths: readonly string[]) =>
  (path: string): boolean =>
    paths.some((each) => path === each || path.startsWith(within(each, "")));

const placesOf = (changed: readonly { path: string }[]): Set<string> => {
  const places = new Set<string>();
  const names = new Set(COMMON);
  for (const { path } of changed) {
    const parts = path.split("/");
    for (const [at, part] of parts.entries())
      if (names.has(part)) places.add(parts.slice(0, at).join("/"));
  }
  return places;
};

const isGitDirectory = async (directory: string): Promise<boolean> => {
  const [head, objects, refs] = await Promise.all(
    ["HEAD", "objects", "refs"].map((name) =>
      lstat(join(directory, name)).catch(() => null),
    ),
  );
  return (
    head != null &&
    !head.isDirectory() &&
    objects?.isDirectory() === true &&
    refs?.isDirectory() === true
  );
};

const hasWorktrees = async (directory: string): Promise<boolean> => {
  const entries = await readdir(join(directory, "worktrees")).catch(() => []);
  return entries.length > 0;
};
