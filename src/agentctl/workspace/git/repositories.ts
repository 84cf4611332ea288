/**
 * Repositories that lie in a workspace. What git keeps there is more than the workspace's own: a branch, a stash, another
 * worktree may be anybody's. A git directory is known by what each of them has, whatever its name.
 */
import { existsSync } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { fromText, fsPath } from "../../../checkpoint/format/byte-string.ts";
import type { Vault } from "../../../checkpoint/vault.ts";
import { plainBytes } from "../../../kit/files/read-plain.ts";
import { fileIn, within } from "./tree-file.ts";

export interface Repositories {
  /** Paths of git directories, within the workspace, that were there then and are there now. */
  kept: string[];
  /** Those that came since and have other worktrees: who works there would lose the repository. */
  lent: string[];
  /** What a rewind leaves to git. */
  spared: string[];
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

/** A file that says where that is. What git keeps for a linked worktree has it. */
export const COMMON_DIRECTORY = "commondir";

/** Of a git that is at work or was killed: nobody wants an old one back. */
export const LOCKS = ["HEAD.lock", "index.lock", "packed-refs.lock"];

/** A repository has changed where one of these has. */
const TELLING = new Set([...COMMON, "config", "hooks", "index", "info"]);

export const repositoriesIn = async (
  vault: Vault,
  root: string,
  tree: string,
  changed: readonly { path: string }[],
): Promise<Repositories> => {
  const found: Repositories = { kept: [], lent: [], spared: [] };
  const changes = new Set(changed.map(({ path }) => path));
  for (const path of placesOf(changed)) {
    const now = await gitDirectoryAt(root, path);
    if (now === null) continue;
    const head = within(path, "HEAD");
    const then = await fileIn(vault, tree, head);
    // A link is no file of the checkpoint, and is the same as then where nothing is said of it.
    const wasThere = then !== null || (now.isLinked && !changes.has(head));
    if (now.broken.length === 0 ? wasThere : then !== null && isHead(then)) {
      const whole = COMMON.filter((name) => !now.broken.includes(name));
      found.kept.push(path);
      found.spared.push(...[...whole, ...LOCKS].map((it) => within(path, it)));
    } else if (now.broken.length === 0 && (await hasWorktrees(root, path))) {
      found.lent.push(path);
      found.spared.push(path);
    }
  }
  return found;
};

const placesOf = (changed: readonly { path: string }[]): Set<string> => {
  const places = new Set<string>();
  for (const { path } of changed) {
    const parts = path.split("/");
    for (const [at, part] of parts.entries())
      if (TELLING.has(part)) places.add(parts.slice(0, at).join("/"));
  }
  return places;
};

/** What a git directory is not one without, as git itself sees it. */
interface GitDirectory {
  /** What of it is missing or is no such thing. With all of it broken, nothing speaks for a git directory. */
  broken: string[];
  /** HEAD is a link, as git once made it. */
  isLinked: boolean;
}

/** Null where there is none. A directory that a link leads to is another one. */
const gitDirectoryAt = async (
  root: string,
  path: string,
): Promise<GitDirectory | null> => {
  const directory = bytesOf(root, path);
  const real = await realpath(directory, "buffer").catch(() => null);
  if (real?.equals(Buffer.from(directory)) !== true) return null;
  const [head, objects, refs] = await Promise.all(
    ["HEAD", "objects", "refs"].map((name) =>
      lstat(bytesOf(root, within(path, name))).catch(() => null),
    ),
  );
  const isDirectory = [objects, refs].map((it) => it?.isDirectory() === true);
  if (!isDirectory.includes(true)) return null;
  const isLinked = head?.isSymbolicLink() === true;
  const file = bytesOf(root, within(path, "HEAD"));
  const headText = isLinked
    ? Buffer.from(`ref: ${await readlink(file)}`)
    : head?.isFile() === true && head.size <= MAX_OF_HEAD
      ? await plainBytes(file, MAX_OF_HEAD).catch(() => null)
      : null;
  const whole = [headText !== null && isHead(headText), ...isDirectory];
  const broken = ["HEAD", "objects", "refs"].filter((_, at) => !whole[at]);
  const isWorktrees =
    broken.length > 0 &&
    existsSync(bytesOf(root, within(path, COMMON_DIRECTORY)));
  return isWorktrees ? null : { broken, isLinked };
};

const MAX_OF_HEAD = 8192;

/** By this git tells a directory of its own from one that happens to have such names. */
const isHead = (content: Buffer): boolean =>
  /^(ref:\s*refs\/.+|[0-9a-f]{40}|[0-9a-f]{64})\s*$/.test(
    content.toString("latin1"),
  );

const hasWorktrees = async (root: string, path: string): Promise<boolean> => {
  const directory = bytesOf(root, within(path, "worktrees"));
  const entries = await readdir(directory).catch(() => []);
  return entries.length > 0;
};

/** A name of a file need not be text. */
const bytesOf = (root: string, path: string): string | Buffer =>
  fsPath(fromText(within(root, path)));
