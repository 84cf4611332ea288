/**
 * Brings a repository that lies in a workspace back to what a checkpoint has of it. Nothing of it is taken away:
 *
 *   objects that are missing or damaged ─► the files of the workspace ─► HEAD and its branch ─► refs that are gone
 *
 * Each step is left out where it is done already, so that the same order finishes what a kill has cut off.
 */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { SessionId } from "../../../contract/base/id.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import {
  git,
  GitFailed,
  gitFilters,
  gitUpdatesRefs,
  gitWrites,
  LOGGED,
} from "./git.ts";
import {
  type GitDirectory,
  headIn,
  isOwnStore,
  isSame,
  writtenAt,
} from "./git-directory.ts";
import { type Checkout, commitOf } from "./git-state.ts";
import { keepCommit } from "./kept-commits.ts";
import { upwards } from "./path-sets.ts";
import type { GitPlan } from "./plan-git.ts";

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
    throw new LinkError(
      "workspace_changing",
      `git in ${where.gitDirectory} cannot be brought back: ${error.message}`,
    );
  }
};

/** Git follows a link where it writes a ref or a reflog, and would change a file of somebody else's. */
const leadElsewhere = async (
  { gitDirectory }: GitDirectory,
  refs: readonly string[],
): Promise<boolean> => {
  const written = refs.flatMap((ref) => [ref, `logs/${ref}`]);
  const places = [...written, "packed-refs"].flatMap(upwards);
  for (const daemon of new Set(places)) {
    if (daemon === "") continue;
    const found = await lstat(join(gitDirectory, daemon)).catch(() => null);
    if (found?.isSymbolicLink() === true && daemon !== "HEAD") return true;
  }
  return false;
};

/** HEAD's own branch goes back with it. Any other that has moved since stays, and HEAD is detached at the commit of then. */
const moveHead = async (
  keeper: SessionId | null,
  where: GitDirectory,
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
  where: GitDirectory,
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
  where: GitDirectory,
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
  where: GitDirectory,
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
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const part = parts.shift();
    if (part === undefined) return;
    // There may be tens of thousands, and the whole disk is flushed at the end.
    if (await updates(where, part, ["-c", "core.fsync=none"])) continue;
    const half = Math.ceil(part.length / 2);
    if (half < part.length) parts.push(part.slice(0, half), part.slice(half));
  }
};

const MAX_TRIES = 200;

const updates = async (
  where: GitDirectory,
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
