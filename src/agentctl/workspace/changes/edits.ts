/** What a rewind meets that no turn of the session did: a person's edits, and commits in the repository. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Vault, Workspace } from "../../../checkpoint/vault.ts";
import type {
  Change,
  GitState,
  HeadChange,
} from "../../../contract/session/checkpoint.ts";
import { git } from "../git/git.ts";
import { GIT_LINK } from "../git/git-link.ts";
import { commitOf, headOf } from "../git/git-state.ts";
import { isAbove, isAmong, upwards } from "../git/path-sets.ts";
import { realChanges } from "./told-changes.ts";
import { within } from "../git/tree-file.ts";

export interface Window {
  from: string;
  to: string;
}

/** What happened while the session was not at work: since a tree, between its turns, and since the last of them. */
export const changesBetween = async (
  vault: Vault,
  workspace: Workspace,
  tree: string,
  turns: readonly Window[],
): Promise<Change[][]> => {
  const last = turns.at(-1)?.to ?? tree;
  const gaps = turns.map(({ from }, at) => ({
    from: turns[at - 1]?.to ?? tree,
    to: from,
  }));
  const between = gaps
    .filter(({ from, to }) => from !== to)
    .map(async ({ from, to }) => realChanges(await vault.diff(from, to)));
  const since = realChanges(await vault.compare(last, workspace));
  return [...(await Promise.all(between)), since];
};

/** Of what a rewind would touch, what a person changed. What git keeps for itself is told by its commits. */
export const editsAmong = (
  touched: readonly Change[],
  between: readonly (readonly Change[])[],
): Change[] => {
  const edited = new Set(between.flat().map(({ path }) => path));
  return touched.filter(({ path }) => edited.has(path) && !isGits(path));
};

/** What is left to bring back where edits stay, and with them the directories they are in and what git keeps. */
export const besidesEdits = (
  touched: readonly Change[],
  edits: readonly Change[],
): string[] => {
  const kept = edits.map(({ path }) => path);
  const isKept = isAmong(kept);
  const holdsKept = isAbove(kept);
  return touched
    .map(({ path }) => path)
    .filter((path) => !isGits(path) && !isKept(path) && !holdsKept(path));
};

/** A person's settings and hooks are files like others. */
const isGits = (path: string): boolean => {
  const parts = path.split("/");
  const at = parts.indexOf(GIT_LINK);
  return at !== -1 && !SETTINGS.has(parts[at + 1] ?? "");
};

const SETTINGS = new Set(["config", "hooks", "info"]);

/** Repositories deeper in the workspace in which somebody committed or checked out between turns. For the one at its root, HEAD tells. */
export const usedBetween = (
  repositories: readonly string[],
  between: readonly (readonly Change[])[],
): Change[] => {
  const touched = new Set(between.flat().flatMap(({ path }) => upwards(path)));
  return repositories
    .filter((path) => path !== GIT_LINK)
    .filter((path) => CHECKOUT.some((name) => touched.has(within(path, name))))
    .map((path) => ({ path, kind: "modified" }));
};

const CHECKOUT = ["HEAD", "refs/heads", "packed-refs"];

const MAX_COMMITS = 20;

/** Undefined where HEAD is where it was, or nobody knows. */
export const headChange = async (
  root: string,
  was: GitState | undefined,
  isBroughtBack: boolean,
): Promise<HeadChange | undefined> => {
  if (was === undefined) return undefined;
  const now = await headOf(root);
  if (now.head === was.head && now.branch === was.branch) return undefined;
  const commits = await commitsSince(root, was.head, now.head);
  const more_commits = commits.length - MAX_COMMITS;
  return {
    was: { head: was.head, branch: was.branch },
    now,
    moves: isBroughtBack,
    commits: commits.slice(0, MAX_COMMITS),
    ...(more_commits > 0 && { more_commits }),
  };
};

/** Whether the repository itself is part of the workspace: then a rewind brings it back like everything else. */
export const holdsRepository = async (root: string): Promise<boolean> =>
  (await lstat(join(root, GIT_LINK)).catch(() => null))?.isDirectory() === true;

const commitsSince = async (
  root: string,
  then: string | null,
  now: string | null,
): Promise<HeadChange["commits"]> => {
  if (now === null || (then !== null && (await commitOf(root, then)) === null))
    return [];
  const range = then === null ? now : `${then}..${now}`;
  const output = await git(
    root,
    "log",
    "--no-show-signature",
    "--max-count=1000",
    "--format=%H %s",
    range,
    "--",
  );
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [id = "", ...subject] = line.split(" ");
      return { id, subject: subject.join(" ").slice(0, 200) };
    });
};
