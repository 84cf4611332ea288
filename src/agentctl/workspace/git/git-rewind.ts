/**
 * Brings git in a session's own worktree back to what a checkpoint names:
 *
 *   keep what is there ─► HEAD ─► the session's own branch ─► the index
 *
 * No other branch is moved. Each step is left out where it is done already, so that the same order finishes what a kill
 * between two of them has cut off.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GitState } from "../../../contract/session/checkpoint.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import type { LinkParams } from "../../../contract/link/link.ts";
import type { Worktree } from "../../../contract/link/link-workspace.ts";
import { placeDurably, remove } from "../../../kit/files/durable-file.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import { GitFailed, gitSucceeds, gitWith, gitWrites } from "./git.ts";
import { commitOf, headOf, indexFile } from "./git-state.ts";
import { keepCommit } from "./kept-commits.ts";

export type GitMove = NonNullable<LinkParams<"rewind">["git"]>;

/** False where git does not have the commit any more: then git stays as it is. */
export const canMoveGit = async (
  directory: string,
  { head }: GitState,
): Promise<boolean> =>
  head !== null && (await commitOf(directory, head)) !== null;

/** Whoever committed after it was captured, or is about to, is not overtaken. */
export const refuseGitAtWork = async (
  { path, branch }: Worktree,
  { to, from }: GitMove,
): Promise<void> => {
  const lock = `${await indexFile(path)}.lock`;
  if (existsSync(lock))
    throw changing(
      `git is at work in ${path}, or was killed there: if no git runs, remove ${lock}`,
    );
  if (from === null) return;
  const [{ head }, tip] = await Promise.all([
    headOf(path),
    commitOf(path, ownRef(branch)),
  ]);
  const known = [from, to].flatMap((each) => [each.head, each.own?.tip]);
  if (!known.includes(head) || !known.includes(tip))
    throw changing(
      `something was committed or checked out in ${path} after it was captured`,
    );
};

export const moveGit = async (
  session: SessionId,
  { path, branch }: Worktree,
  to: GitState,
): Promise<void> => {
  const { head } = to;
  if (head === null) return;
  const now = await headOf(path);
  if (now.head !== null) await keepCommit(path, session, now.head);
  if (to.own?.on === true) {
    if (now.branch !== ownRef(branch))
      await gitWrites(path, "symbolic-ref", ...why, "HEAD", ownRef(branch));
  } else if (now.branch !== to.branch || now.head !== head)
    await gitWrites(path, "update-ref", ...why, "--no-deref", "HEAD", head);
  await moveBranch(session, path, branch, to);
  await moveIndex(path, to.index ?? `${head}^{tree}`);
};

/** Only from where it was found: whoever moved it meanwhile keeps it. */
export const moveBranch = async (
  session: SessionId,
  repository: string,
  branch: string,
  { own, head }: GitState,
): Promise<void> => {
  const to = own?.tip ?? head;
  const ref = ownRef(branch);
  const tip = await commitOf(repository, ref);
  if (to === null || tip === to) return;
  if (tip !== null) await keepCommit(repository, session, tip);
  try {
    const before = tip ?? "0".repeat(to.length);
    await gitWrites(repository, "update-ref", ...why, ref, to, before);
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw changing(`the branch ${branch} cannot be moved: ${error.message}`);
  }
};

/** Replaces the index as a whole, and takes away what a merge under way has noted: it is not of that moment. */
export const moveIndex = async (path: string, tree: string): Promise<void> => {
  if (await gitSucceeds(path, "diff-index", "--cached", "--quiet", tree, "--"))
    return;
  const index = await indexFile(path);
  const draft = `${index}.reprise`;
  for (const left of [draft, `${draft}.lock`]) await remove(left);
  await gitWith(
    { GIT_INDEX_FILE: draft },
    path,
    "-c",
    "core.fsync=all",
    "read-tree",
    tree,
  );
  await placeDurably(draft, index);
  for (const name of OF_A_MERGE) await remove(join(dirname(index), name));
};

const OF_A_MERGE = [
  "MERGE_HEAD",
  "MERGE_MODE",
  "MERGE_MSG",
  "MERGE_RR",
  "AUTO_MERGE",
  "SQUASH_MSG",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
];

const why = ["-m", "reprise: rewind"];

const ownRef = (branch: string): string => `refs/heads/${branch}`;

const changing = (message: string): LinkError =>
  new LinkError("workspace_changing", message);
