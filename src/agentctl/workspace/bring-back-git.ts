/**
 * Brings a repository that lies in a workspace back to what a checkpoint has of it. Nothing of it is taken away:
 *
 *   objects that are missing ─► the files of the workspace ─► HEAD and its branch ─► refs that are gone
 *
 * Each step is left out where it is done already, so that the same order finishes what a kill has cut off.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Change as Difference } from "../../checkpoint/change.ts";
import type { Vault, Workspace } from "../../checkpoint/vault.ts";
import type { SessionId } from "../../contract/id.ts";
import { Refused } from "../refused.ts";
import { git, GitFailed, gitUpdatesRefs, gitWrites } from "./git.ts";
import { checkoutIn, refsIn } from "./git-in-tree.ts";
import { GIT_LINK } from "./git-link.ts";
import { type Checkout, commitOf, headOf } from "./git-state.ts";
import { keepCommit } from "./kept-commits.ts";
import { isAmong } from "./repositories.ts";
import { within } from "./tree-file.ts";

interface Wanted {
  tree: string;
  /** What was there a moment ago, if that was captured. */
  captured?: string | undefined;
  /** From what is there to what shall be. */
  changes: readonly Difference[];
}

/** The way back of one repository. */
export interface WayBack {
  where: { gitDirectory: string };
  /** Null where the checkpoint does not tell. */
  to: Checkout | null;
  /** Refs of then, some of which may be gone. */
  refs: ReadonlyMap<string, string>;
  /** It is the workspace's own: what HEAD leaves is kept by a ref, which goes when the session is purged. */
  keepsLeft: boolean;
}

/** Nothing is touched before all of them are known to be free. Then the objects that are missing are added. */
export const waysBack = async (
  vault: Vault,
  workspace: Workspace,
  paths: readonly string[],
  wanted: Wanted,
): Promise<WayBack[]> => {
  const ways: WayBack[] = [];
  for (const path of paths)
    ways.push(await wayBack(vault, workspace.root, path, wanted));
  const only = paths.flatMap((path) => lost(wanted, within(path, "objects")));
  if (only.length === 0) return ways;
  const { root: into, ...rest } = workspace;
  const { tree } = wanted;
  await vault.restore(
    await vault.planRestore({ ...rest, tree, into, only, createOnly: true }),
  );
  return ways;
};

/** Whoever committed after it was captured is not overtaken. */
const wayBack = async (
  vault: Vault,
  root: string,
  path: string,
  wanted: Wanted,
): Promise<WayBack> => {
  const { tree, captured } = wanted;
  const where = { gitDirectory: join(root, path) };
  const to = await checkoutIn(vault, tree, path);
  const from = captured ? await checkoutIn(vault, captured, path) : null;
  if (to !== null) await refuseChanged(where, to, from);
  const directory = within(path, "");
  const loose = lost(wanted, `${directory}refs`);
  const names = loose.map((ref) => ref.slice(directory.length));
  return {
    where,
    to,
    refs: await refsIn(vault, tree, path, names),
    keepsLeft: path === GIT_LINK,
  };
};

/** What was there then, at a path or beneath it, and is not there now. */
const lost = ({ changes }: Wanted, path: string): string[] =>
  changes
    .filter(({ kind }) => kind === "added")
    .map((change) => change.path)
    .filter(isAmong([path]));

/** False where git does not have the commit any more: then HEAD stays where it is. */
export const bringBack = async (
  session: SessionId,
  { where, to, refs, keepsLeft }: WayBack,
): Promise<boolean> => {
  const isBack =
    to !== null && (await moveHead(keepsLeft ? session : null, where, to));
  await makeGoneRefs(where, refs);
  return isBack;
};

const refuseChanged = async (
  where: WayBack["where"],
  to: Checkout,
  from: Checkout | null,
): Promise<void> => {
  const lock = to.branch && join(where.gitDirectory, `${to.branch}.lock`);
  if (lock && existsSync(lock))
    throw new Refused(
      "workspace_changing",
      `git is at work in ${where.gitDirectory}, or was killed there: if no git runs, remove ${lock}`,
    );
  const now = await headOf(where);
  if (from !== null && !isSame(now, from) && !isSame(now, to))
    throw new Refused(
      "workspace_changing",
      `something was committed or checked out in ${where.gitDirectory} after it was captured`,
    );
};

const isSame = (one: Checkout, other: Checkout): boolean =>
  one.head === other.head && one.branch === other.branch;

/** HEAD's own branch goes back with it. Any other that has moved since stays, and HEAD is detached at the commit of then. */
const moveHead = async (
  keeper: SessionId | null,
  where: WayBack["where"],
  to: Checkout,
): Promise<boolean> => {
  const now = await headOf(where);
  if (isSame(now, to)) return true;
  if (to.head !== null && (await commitOf(where, to.head)) === null)
    return false;
  if (keeper !== null && now.head !== null)
    await keepCommit(where, keeper, now.head);
  if (to.branch !== null && (await moveBranch(where, to.branch, to, now))) {
    if (now.branch !== to.branch)
      await gitWrites(where, "symbolic-ref", ...WHY, "HEAD", to.branch);
    return true;
  }
  if (to.head === null) return false;
  await gitWrites(where, "update-ref", ...WHY, "--no-deref", "HEAD", to.head);
  return true;
};

/** Whether the branch is where it was then. It is moved only from where it was found. */
const moveBranch = async (
  where: WayBack["where"],
  branch: string,
  to: Checkout,
  now: Checkout,
): Promise<boolean> => {
  const tip = await commitOf(where, branch);
  if (tip === to.head) return true;
  const isFree =
    tip === null ||
    (now.branch === branch && !(await isElsewhere(where, branch)));
  if (!isFree) return false;
  const order =
    to.head === null
      ? `delete ${branch} ${tip ?? ""}`
      : `update ${branch} ${to.head} ${tip ?? nothingFor(to.head)}`;
  return updates(where, [order]);
};

/** Another worktree has it checked out. The first one that git names is its own. */
const isElsewhere = async (
  where: WayBack["where"],
  branch: string,
): Promise<boolean> => {
  const listed = await git(where, "worktree", "list", "--porcelain");
  return listed
    .split("\n\n")
    .slice(1)
    .some((entry) => entry.split("\n").includes(`branch ${branch}`));
};

/** What somebody has made again since stays as it is; and so do our own refs, which come and go with sessions. */
const makeGoneRefs = async (
  where: WayBack["where"],
  refs: WayBack["refs"],
): Promise<void> => {
  if (refs.size === 0) return;
  const listed = await git(where, "for-each-ref", "--format=%(refname)");
  const there = new Set(listed.split("\n"));
  const orders = [...refs]
    .filter(([name]) => !there.has(name) && !name.startsWith("refs/reprise/"))
    .map(([name, commit]) => `create ${name} ${commit}`);
  if (orders.length === 0 || (await updates(where, orders))) return;
  // One that cannot be made, because its place is taken, say, is no obstacle to the others.
  for (const order of orders.slice(0, MOST_ALONE))
    await updates(where, [order]);
};

const MOST_ALONE = 200;

const updates = async (
  where: WayBack["where"],
  orders: readonly string[],
): Promise<boolean> => {
  try {
    await gitUpdatesRefs(where, REASON, orders);
    return true;
  } catch (error) {
    if (error instanceof GitFailed) return false;
    throw error;
  }
};

const REASON = "reprise: rewind";
const WHY = ["-m", REASON];

const nothingFor = (commit: string): string => "0".repeat(commit.length);
