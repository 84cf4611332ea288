/** Worktrees of sessions: made once, made again when they are missing, removed when the session is. A branch with something on it is never removed. */
import { existsSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { GitState } from "../../../contract/session/checkpoint.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import type { Worktree } from "../../../contract/link/link-workspace.ts";
import { remove } from "../../../kit/files/durable-file.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import { git, gitChecksOut, GitFailed, gitSucceeds } from "./git.ts";
import { onceOthersAreMade } from "./half-made.ts";
import { canMoveGit, moveIndex } from "./git-rewind.ts";
import { commitOf } from "./git-state.ts";
import { releaseCommits } from "./kept-commits.ts";

/** Makes a worktree with a new branch. One that was made before is the answer. */
export const makeWorktree = async (worktree: Worktree): Promise<void> => {
  const { repository, path, branch } = worktree;
  await checkRepository(repository);
  const there = await entryOf(worktree);
  if (there === "whole") return;
  // We died while git was at it: the branch is ours, and nobody has worked there.
  if (there === "begun") await unregister(repository, path);
  if (existsSync(path)) throw conflict(`${path} exists already`);
  const isTaken = there === null && (await hasBranch(repository, branch));
  if (isTaken) throw conflict(`${repository} has a branch ${branch} already`);
  await add(worktree, path);
};

/**
 * The worktree of a session whose directory is gone, at a place from which it is moved when it is whole. A branch that is
 * there stays where it is; one that is not begins at the commit of then. What was staged on that commit is staged again.
 */
export const remakeWorktree = async (
  worktree: Worktree,
  draft: string,
  git?: GitState,
): Promise<void> => {
  const { repository, path } = worktree;
  await checkRepository(repository);
  for (const old of [path, draft]) await unregister(repository, old);
  await remove(draft);
  if (git === undefined || !(await canMoveGit(repository, git)))
    return add(worktree, draft);
  await add(worktree, draft, git.head);
  const tip = await commitOf(draft, "HEAD");
  await moveIndex(draft, tip === git.head ? (git.index ?? "HEAD") : "HEAD");
};

/** Git finds a worktree that was moved, or whose repository was. */
export const repairWorktree = async ({
  repository,
  path,
}: Worktree): Promise<void> => {
  if (existsSync(join(path, ".git")))
    await gitSucceeds(repository, "worktree", "repair", path);
};

/**
 * Only what git knows as its worktree goes: whatever else has this path by now is somebody's. Its repository may be gone,
 * or on a disk that is not mounted.
 */
export const removeWorktree = async (
  { repository, path }: Worktree,
  session: SessionId,
): Promise<void> => {
  await unregister(repository, path);
  await releaseCommits(repository, session).catch((error: unknown) => {
    if (!(error instanceof GitFailed)) throw error;
  });
};

/** Removes a worktree in which nobody did anything, and its branch. Says whether it did. */
export const abandonWorktree = async (path: string): Promise<boolean> => {
  const ask = async (...args: readonly string[]) =>
    (await git(path, ...args)).trim();
  try {
    const repository = await ask(
      "rev-parse",
      "--path-format=absolute",
      "--git-common-dir",
    );
    const branch = await ask("symbolic-ref", "--short", "HEAD");
    const worktree = { id: "", repository, path, branch };
    if ((await entryOf(worktree)) === "begun")
      await unregister(repository, path);
    else {
      const changes = await ask("status", "--porcelain", "--ignored");
      const branches = await ask("branch", "--contains", "HEAD");
      // A commit of its own is on no other branch.
      if (changes !== "" || !branches.includes("\n")) return false;
      await git(repository, "worktree", "remove", path);
    }
    await dropBranch(worktree);
    return true;
  } catch (error) {
    // Its repository may be gone, or on a disk that is not mounted.
    if (error instanceof GitFailed) return false;
    throw error;
  }
};

/** Git itself refuses where a commit is on no other branch. */
export const dropBranch = async ({
  repository,
  branch,
}: Worktree): Promise<void> => {
  await gitSucceeds(repository, "branch", "-d", branch);
};

const add = async (
  { repository, branch }: Worktree,
  path: string,
  at: string | null = null,
): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // With a commit of then come the files of then, and git need not make any.
  const files = at === null ? [] : ["--no-checkout"];
  try {
    await onceOthersAreMade(async () => {
      const how = (await hasBranch(repository, branch))
        ? [path, branch]
        : ["-b", branch, path, ...(at === null ? [] : [at])];
      const args = ["add", "--quiet", ...files, ...how];
      await gitChecksOut(repository, "worktree", ...args);
    });
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw conflict(
      `git cannot make a worktree of ${repository}: ${error.message}`,
    );
  }
};

/** Only this entry: others may be missing because a disk is not mounted. */
const unregister = async (repository: string, path: string): Promise<void> => {
  await gitSucceeds(repository, "worktree", "remove", "-f", "-f", path);
};

/** What git knows of the worktree at this path, on this branch. */
const entryOf = async ({
  repository,
  path,
  branch,
}: Worktree): Promise<"whole" | "begun" | null> => {
  const real = await realWay(path);
  const listed = await onceOthersAreMade(() =>
    git(repository, "worktree", "list", "--porcelain"),
  );
  for (const entry of listed.split("\n\n")) {
    const lines = entry.split("\n");
    if (lines[0] !== `worktree ${real}`) continue;
    if (!lines.includes(`branch refs/heads/${branch}`)) return null;
    return lines.includes("locked initializing") ? "begun" : "whole";
  }
  return null;
};

/** Git knows worktrees by their real paths, and this one may not be there yet. */
const realWay = async (path: string): Promise<string> => {
  const parent = await realpath(dirname(path)).catch(() => dirname(path));
  return join(parent, basename(path));
};

const hasBranch = (repository: string, branch: string): Promise<boolean> =>
  gitSucceeds(
    repository,
    "show-ref",
    "--verify",
    "--quiet",
    `refs/heads/${branch}`,
  );

const checkRepository = async (repository: string): Promise<void> => {
  try {
    await git(repository, "rev-parse", "--git-dir");
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw new LinkError(
      "not_a_repository",
      `${repository} is not usable as a git repository: ${error.message}`,
    );
  }
};

const conflict = (message: string): LinkError =>
  new LinkError("worktree_conflict", message);
