/**
 * Brings a repository that lies in a workspace back to what a checkpoint has of it. Nothing of it is taken away:
 *
 *   objects that are missing or damaged ─► the files of the workspace ─► HEAD and its branch ─► refs that are gone
 *
 * Each step is left out where it is done already, so that the same order finishes what a kill has cut off.
 */
import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Change as Difference } from "../../checkpoint/change.ts";
import type { Vault, Workspace } from "../../checkpoint/vault.ts";
import type { SessionId } from "../../contract/id.ts";
import { Refused } from "../refused.ts";
import {
  git,
  GitFailed,
  gitFilters,
  gitSucceeds,
  gitUpdatesRefs,
  gitWrites,
  LOGGED,
} from "./git.ts";
import { checkoutIn, refsIn } from "./git-in-tree.ts";
import { GIT_LINK } from "./git-link.ts";
import { type Checkout, commitOf } from "./git-state.ts";
import { keepCommit } from "./kept-commits.ts";
import { isAmong, upwards } from "./path-sets.ts";
import { COMMON_DIRECTORY, LOCKS, type Repositories } from "./repositories.ts";
import { within } from "./tree-file.ts";

interface Target {
  tree: string;
  /** What was there a moment ago, if that was captured. */
  captured?: string | undefined;
  /** From what is there to what shall be. */
  changes: readonly Difference[];
}

/** What becomes of one repository. */
export interface GitPlan {
  where: { gitDirectory: string };
  /** Null where the checkpoint does not tell, or git is not to be used there. */
  to: Checkout | null;
  /** Refs of then, some of which may be gone. */
  refs: ReadonlyMap<string, string>;
  /** It is the workspace's own: what HEAD leaves is kept by a ref, which goes when the session is purged. */
  keepsLeft: boolean;
}

/** Nothing is touched before all of them are known to be free. Then objects that are missing or damaged are brought back. */
export const planGit = async (
  vault: Vault,
  workspace: Workspace,
  { kept, spared }: Repositories,
  target: Target,
): Promise<GitPlan[]> => {
  const plans: GitPlan[] = [];
  const refs = goneBeneath(
    target,
    kept.map((path) => within(path, "refs")),
  );
  for (const path of kept) {
    const loose = refs.get(within(path, "refs")) ?? [];
    plans.push(await planOf(vault, workspace.root, path, target, loose));
  }
  const left = new Set(spared);
  const objects = kept.map((path) => within(path, "objects"));
  const spareObjects = objects.filter((path) => left.has(path));
  const gone = [...goneBeneath(target, spareObjects).values()].flat();
  const { root: into, ...rest } = workspace;
  const request = { ...rest, tree: target.tree, into };
  const restore = async (only: readonly string[], createOnly: boolean) => {
    if (only.length === 0) return;
    const plan = { ...request, only, createOnly };
    await vault.restore(await vault.planRestore(plan));
  };
  await restore(gone, true);
  await restore(damagedIn(target, spareObjects), false);
  return plans;
};

/** An object has the name of its content: one that is not what it was is damaged. */
const damagedIn = (
  { changes }: Target,
  objects: readonly string[],
): string[] => {
  const isIn = isAmong(objects);
  return changes
    .filter(({ kind, path }) => kind === "modified" && isIn(path))
    .map(({ path }) => path)
    .filter((path) => /\/[0-9a-f]{2}\/([0-9a-f]{38}|[0-9a-f]{62})$/.test(path));
};

/** What was there then, at one of these paths or beneath it, and is not there now. */
const goneBeneath = (
  { changes }: Target,
  paths: readonly string[],
): Map<string, string[]> => {
  const gone = new Map(paths.map((path): [string, string[]] => [path, []]));
  for (const { path, kind } of changes)
    if (kind === "added")
      for (const at of upwards(path)) gone.get(at)?.push(path);
  return gone;
};

const planOf = async (
  vault: Vault,
  root: string,
  path: string,
  { tree, captured }: Target,
  loose: readonly string[],
): Promise<GitPlan> => {
  const where = { gitDirectory: join(root, path) };
  const to = await checkoutIn(vault, tree, path);
  const from = captured ? await checkoutIn(vault, captured, path) : null;
  refuseAtWork(where, to?.branch ?? null);
  if (to !== null && from !== null) await refuseChanged(where, to, from);
  const names = loose.map((ref) => ref.slice(within(path, "").length));
  return {
    where,
    to,
    refs: await refsIn(vault, tree, path, names),
    keepsLeft: path === GIT_LINK,
  };
};

/** False where git does not have the commit any more: then HEAD stays where it is. */
export const bringBack = async (
  session: SessionId,
  { where, to, refs, keepsLeft }: GitPlan,
): Promise<boolean> => {
  if (!isOwnStore(where)) return false;
  try {
    const keeper = keepsLeft ? session : null;
    const isBack = to !== null && (await moveHead(keeper, where, to));
    await makeGoneRefs(where, refs);
    return isBack;
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw new Refused(
      "workspace_changing",
      `git in ${where.gitDirectory} cannot be brought back: ${error.message}`,
    );
  }
};

const refuseAtWork = (where: GitPlan["where"], branch: string | null): void => {
  const lock = [...LOCKS, ...(branch === null ? [] : [`${branch}.lock`])]
    .map((name) => join(where.gitDirectory, name))
    .find((path) => existsSync(path));
  if (lock !== undefined)
    throw new Refused(
      "workspace_changing",
      `git is at work in ${where.gitDirectory}, or was killed there: if no git runs, remove ${lock}`,
    );
};

/** Whoever committed after it was captured is not overtaken. */
const refuseChanged = async (
  where: GitPlan["where"],
  to: Checkout,
  from: Checkout,
): Promise<void> => {
  if (!isOwnStore(where)) return;
  // What git cannot read now, because its settings are damaged, say, nobody has committed to.
  if (!(await gitSucceeds(where, "rev-parse", "--git-dir"))) return;
  const now = await headIn(where);
  if (![from, to, { ...to, branch: null }].some((it) => isSame(now, it)))
    throw new Refused(
      "workspace_changing",
      `something was committed or checked out in ${where.gitDirectory} after it was captured`,
    );
};

/**
 * Otherwise its refs are those of another directory, and none of them is ours to move. No program can be told of a directory
 * whose name is not text.
 */
const isOwnStore = ({ gitDirectory }: GitPlan["where"]): boolean =>
  gitDirectory.isWellFormed() &&
  !existsSync(join(gitDirectory, COMMON_DIRECTORY));

/** Git follows a link where it writes a ref or a reflog, and would change a file of somebody else's. */
const leadElsewhere = async (
  { gitDirectory }: GitPlan["where"],
  refs: readonly string[],
): Promise<boolean> => {
  const written = refs.flatMap((ref) => [ref, `logs/${ref}`]);
  const places = [...written, "packed-refs"].flatMap(upwards);
  for (const place of new Set(places)) {
    if (place === "") continue;
    const found = await lstat(join(gitDirectory, place)).catch(() => null);
    if (found?.isSymbolicLink() === true && place !== "HEAD") return true;
  }
  return false;
};

const isSame = (one: Checkout, other: Checkout): boolean =>
  one.head === other.head && one.branch === other.branch;

/** As it is written: the commit itself may be missing. */
const headIn = async (where: GitPlan["where"]): Promise<Checkout> => {
  const branch = await told(where, "symbolic-ref", "--quiet", "HEAD");
  const head =
    branch === null
      ? await told(where, "rev-parse", "--quiet", "--verify", "HEAD")
      : await writtenAt(where, branch);
  return { head, branch };
};

/** Of this ref alone: `rev-parse` would take another whose name ends alike. */
const writtenAt = async (
  where: GitPlan["where"],
  ref: string,
): Promise<string | null> => {
  const format = "--format=%(objectname) %(refname)";
  const listed = (await told(where, "for-each-ref", format, ref)) ?? "";
  const line = listed.split("\n").find((each) => each.endsWith(` ${ref}`));
  return line?.split(" ")[0] ?? null;
};

const told = (
  where: GitPlan["where"],
  ...args: readonly string[]
): Promise<string | null> =>
  git(where, ...args).then(
    (text) => text.trim(),
    () => null,
  );

/** HEAD's own branch goes back with it. Any other that has moved since stays, and HEAD is detached at the commit of then. */
const moveHead = async (
  keeper: SessionId | null,
  where: GitPlan["where"],
  to: Checkout,
): Promise<boolean> => {
  const now = await headIn(where);
  if (isSame(now, to)) return true;
  const written = ["HEAD", "refs/reprise", ...(to.branch ? [to.branch] : [])];
  if (await leadElsewhere(where, written)) return false;
  if (to.head !== null && (await commitOf(where, to.head)) === null)
    return false;
  if (now.head !== null && (await commitOf(where, now.head)) !== null) {
    if (keeper !== null) await keepCommit(where, keeper, now.head);
    // Its reflog would go with the branch, and nothing else would lead to what was committed.
    else if (to.head === null) return false;
  }
  const { branch } = to;
  if (branch !== null && (await moveBranch(where, branch, to, now))) {
    if (now.branch !== branch)
      await gitWrites(where, ...LOGGED, "symbolic-ref", ...WHY, "HEAD", branch);
    return true;
  }
  if (to.head === null) return false;
  const order = ["update-ref", ...WHY, "--no-deref", "HEAD", to.head];
  await gitWrites(where, ...LOGGED, ...order);
  return true;
};

/** Whether the branch is where it was then. It is moved only from where it was found. */
const moveBranch = async (
  where: GitPlan["where"],
  branch: string,
  to: Checkout,
  now: Checkout,
): Promise<boolean> => {
  const tip = await writtenAt(where, branch);
  if (tip === to.head) return true;
  const isFree =
    tip === null ||
    (now.branch === branch && !(await isElsewhere(where, branch)));
  if (!isFree) return false;
  const order =
    to.head === null
      ? `delete ${branch} ${tip ?? ""}`
      : `update ${branch} ${to.head} ${tip ?? nothingFor(to.head)}`;
  return updates(where, [order], [...LOGGED, "-c", "core.fsync=all"]);
};

/** Another worktree has it checked out. The first one that git names is its own. */
const isElsewhere = async (
  where: GitPlan["where"],
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
  where: GitPlan["where"],
  refs: GitPlan["refs"],
): Promise<void> => {
  if (refs.size === 0) return;
  const gone = await gitFilters(
    [...refs.keys()].filter((name) => !name.startsWith("refs/reprise/")),
    where,
    "show-ref",
    "--exclude-existing",
  );
  if (await leadElsewhere(where, gone)) return;
  const orders = gone.map((name) => `create ${name} ${refs.get(name) ?? ""}`);
  // One that cannot be made, because its place is taken, say, is no obstacle to the others: they are tried by halves.
  const parts = orders.length === 0 ? [] : [orders];
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const part = parts.shift();
    if (part === undefined) return;
    // There may be tens of thousands, and the whole disk is flushed at the end.
    if (await updates(where, part, ["-c", "core.fsync=none"])) continue;
    const half = Math.ceil(part.length / 2);
    if (half < part.length) parts.push(part.slice(0, half), part.slice(half));
  }
};

const MOST_TRIES = 200;

const updates = async (
  where: GitPlan["where"],
  orders: readonly string[],
  settings: readonly string[],
): Promise<boolean> => {
  try {
    await gitUpdatesRefs(where, REASON, orders, settings);
    return true;
  } catch (error) {
    if (error instanceof GitFailed) return false;
    throw error;
  }
};

const REASON = "reprise: rewind";
const WHY = ["-m", REASON];

const nothingFor = (commit: string): string => "0".repeat(commit.length);
