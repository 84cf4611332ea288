/** What git has checked out in a workspace; and, in a session's own worktree, refs by which git keeps that. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type {
  GitState,
  LeftOut,
} from "../../../contract/session/checkpoint.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import type { Worktree } from "../../../contract/link/link-workspace.ts";
import { writeDurably } from "../../../kit/files/durable-file.ts";
import { orAborted } from "../../../kit/time/or-aborted.ts";
import { openPlain } from "../../../kit/files/read-plain.ts";
import type { CheckpointStorage } from "../../storage/checkpoint-storage.ts";
import { gitDirectoryOf, repositoryAbove } from "./find-repository.ts";
import { git, GitFailed, gitSucceeds, gitWith, type Where } from "./git.ts";
import { keepCommit } from "./kept-commits.ts";
import { UnusableFile } from "../../../kit/files/unusable-file.ts";

interface Asked {
  session_id: SessionId;
  cwd: string;
  worktree?: Worktree | null | undefined;
}

/** Which commit HEAD is at, and by which branch. */
export type Checkout = Pick<GitState, "head" | "branch">;

export interface Found {
  git?: GitState;
  /** Why it is not known. */
  left_out: LeftOut[];
}

/** A workspace without it is still worth keeping, so nothing is thrown. */
export const captureGit = async (
  storage: CheckpointStorage,
  { session_id, cwd, worktree = null }: Asked,
  signal: AbortSignal,
): Promise<Found> => {
  try {
    const link = await repositoryAbove(cwd);
    if (link === null) return { left_out: [] };
    await refuseOdd(link);
    const reading =
      worktree === null
        ? inPlace(cwd)
        : inWorktree(storage, session_id, cwd, worktree);
    return { git: await orAborted(reading, signal), left_out: [] };
  } catch (error) {
    // In place, where it only tells the person something, it is not missed.
    return { left_out: worktree === null ? [] : [cannotRead(error)] };
  }
};

const cannotRead = (error: unknown): LeftOut => ({
  path: "(git's branch and index)",
  reason: `they cannot be read: ${error instanceof Error ? error.message : String(error)}`,
});

/** Git waits for ever where one of these is a FIFO; for what else it reads, see `waiting.ts`. */
const READ_BY_GIT = ["HEAD", "config", "index"];

const refuseOdd = async (link: string): Promise<void> => {
  const directory = await gitDirectoryOf(link);
  for (const name of READ_BY_GIT) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && !found.isFile())
      throw new UnusableFile("not_plain", `${path} is no plain file`);
  }
};

const inPlace = async (cwd: string): Promise<GitState> => ({
  ...(await headOf(cwd)),
  own: null,
  index: null,
});

/** What is told is kept first: nothing of it goes with the next `git gc`. */
const inWorktree = async (
  storage: CheckpointStorage,
  session_id: SessionId,
  cwd: string,
  { branch }: Worktree,
): Promise<GitState> => {
  const own = `refs/heads/${branch}`;
  const [head, tip] = await Promise.all([headOf(cwd), commitOf(cwd, own)]);
  const index = head.head === null ? null : await indexOf(storage, cwd);
  for (const commit of new Set([head.head, tip]))
    if (commit !== null) await keepCommit(cwd, session_id, commit);
  if (head.head !== null && index !== null)
    await keepStaged(cwd, session_id, head.head, index);
  return { ...head, own: { on: head.branch === own, tip }, index };
};

/** Keeps what a checkpoint of another session names. What the repository does not have any more cannot be kept. */
export const keepGit = async (
  repository: string,
  session: SessionId,
  { head, own, index }: GitState,
): Promise<void> => {
  const found: string[] = [];
  for (const commit of new Set([head, own?.tip ?? null]))
    if (commit !== null && (await commitOf(repository, commit)) !== null)
      found.push(commit);
  for (const commit of found) await keepCommit(repository, session, commit);
  if (head === null || index === null || !found.includes(head)) return;
  if (await gitSucceeds(repository, "cat-file", "-e", index))
    await keepStaged(repository, session, head, index);
};

export const headOf = async (where: Where): Promise<Checkout> => {
  const [head, branch] = await Promise.all([
    commitOf(where, "HEAD"),
    git(where, "symbolic-ref", "--quiet", "HEAD").then(trim, orNull),
  ]);
  return { head, branch };
};

/** Null where there is none. */
export const commitOf = (where: Where, name: string): Promise<string | null> =>
  git(where, "rev-parse", "--quiet", "--verify", `${name}^{commit}`).then(
    trim,
    orNull,
  );

/** What is staged, as a tree; null with conflicts. The index itself is only read: an agent's git may hold its lock. */
const indexOf = async (
  storage: CheckpointStorage,
  cwd: string,
): Promise<string | null> => {
  if (await gitSucceeds(cwd, "diff-index", "--cached", "--quiet", "HEAD", "--"))
    return trim(await git(cwd, "rev-parse", "HEAD^{tree}"));
  const file = await indexFile(cwd);
  return storage.withScratch(async (scratch) => {
    const copy = join(scratch, "index");
    await writeDurably(copy, await wholeFile(file));
    return gitWith({ GIT_INDEX_FILE: copy }, cwd, "write-tree").then(
      trim,
      orNull,
    );
  });
};

const wholeFile = async (path: string): Promise<Buffer> => {
  await using file = await openPlain(path, { follow: true });
  return await file.readFile();
};

export const indexFile = async (directory: string): Promise<string> =>
  trim(
    await git(
      directory,
      "rev-parse",
      "--path-format=absolute",
      "--git-path",
      "index",
    ),
  );

/** Git keeps what a commit leads to, so what is staged becomes one, unless it is what HEAD has. */
const keepStaged = async (
  cwd: string,
  session: SessionId,
  head: string,
  index: string,
): Promise<void> => {
  if (index === trim(await git(cwd, "rev-parse", `${head}^{tree}`))) return;
  const message = "What was staged, kept by Reprise";
  const commit = trim(
    await gitWith(NOBODY, cwd, "commit-tree", index, "-p", head, "-m", message),
  );
  await keepCommit(cwd, session, commit);
};

/** The same staged files make the same commit, whenever they are captured. */
const NOBODY = {
  GIT_AUTHOR_NAME: "Reprise",
  GIT_AUTHOR_EMAIL: "",
  GIT_AUTHOR_DATE: "1700000000 +0000",
  GIT_COMMITTER_NAME: "Reprise",
  GIT_COMMITTER_EMAIL: "",
  GIT_COMMITTER_DATE: "1700000000 +0000",
};

const trim = (output: string): string => output.trim();

const orNull = (error: unknown): null => {
  if (error instanceof GitFailed) return null;
  throw error;
};
