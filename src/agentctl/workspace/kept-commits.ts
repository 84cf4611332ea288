/**
 * Commits that a session's checkpoints name, kept by refs of ours: `refs/reprise/<session>/<commit>`. Git's collection
 * leaves alone what they lead to; a push or a clone does not take them along unless it is told to mirror everything.
 */
import type { SessionId } from "../../contract/id.ts";
import { git, gitSucceeds, gitWrites } from "./git.ts";

export const keepCommit = async (
  directory: string,
  session: SessionId,
  commit: string,
): Promise<void> => {
  const ref = `${refsOf(session)}${commit}`;
  const isKept = await gitSucceeds(
    directory,
    "rev-parse",
    "--quiet",
    "--verify",
    ref,
  );
  if (!isKept) await gitWrites(directory, "update-ref", ref, commit);
};

/** The session is gone, and with it whoever could ask for them. */
export const releaseCommits = async (
  repository: string,
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

const refsOf = (session: SessionId): string => `refs/reprise/${session}/`;
