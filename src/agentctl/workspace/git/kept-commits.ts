/**
 * Commits that a session's checkpoints name, kept by refs of ours: `refs/reprise/<session>/<commit>`. Git's collection
 * leaves alone what they lead to; a push or a clone does not take them along unless it is told to mirror everything.
 */
import { existsSync } from "node:fs";
import type { SessionId } from "../../../contract/base/id.ts";
import { git, GitFailed, gitSucceeds, gitWrites, type Where } from "./git.ts";

export const keepCommit = async (
  where: Where,
  session: SessionId,
  commit: string,
): Promise<void> => {
  const ref = `${refsOf(session)}${commit}`;
  const isKept = await gitSucceeds(
    where,
    "rev-parse",
    "--quiet",
    "--verify",
    ref,
  );
  if (!isKept) await gitWrites(where, "update-ref", ref, commit);
};

/** The session is gone: nobody can ask for its commits any more. */
export const releaseCommits = async (
  repository: Where,
  session: SessionId,
): Promise<void> => {
  const listed = await git(
    repository,
    "for-each-ref",
    "--format=%(refname)",
    refsOf(session),
  );
  for (const ref of listed.split("\n").filter((line) => line !== ""))
    await gitWrites(repository, "update-ref", "-d", ref);
};

/** The repository may be gone by now, or on a disk that is not mounted. */
export const releaseCommitsOf = async (
  gitDirectory: string,
  session: SessionId,
): Promise<void> => {
  if (!existsSync(gitDirectory)) return;
  await releaseCommits({ gitDirectory }, session).catch((error: unknown) => {
    if (!(error instanceof GitFailed)) throw error;
  });
};

const refsOf = (session: SessionId): string => `refs/reprise/${session}/`;
