import { lstat, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { VaultFailure } from "../../../checkpoint/format/failure.ts";
import type { RestorePlan } from "../../../checkpoint/restore/restore-plan.ts";
import type { Vault, Workspace } from "../../../checkpoint/vault.ts";
import type { GitState } from "../../../contract/session/checkpoint.ts";
import type { Rebuild } from "../../../contract/session/rebuild.ts";
import type { Worktree } from "../../../contract/link/link-workspace.ts";
import { placeDurably } from "../../../kit/files/durable-file.ts";
import type { CheckpointStorage } from "../../storage/checkpoint-storage.ts";
import { gitLinkIn, removeGitLink } from "../git/git-link.ts";
import { kindOf } from "../capture/kind-of.ts";
import { isAbove, isAmong } from "../git/path-sets.ts";
import { removeAll } from "./remove-all.ts";
import { remakeWorktree, repairWorktree } from "../git/worktree.ts";

export interface Missing {
  cwd: string;
  tree: Rebuild["tree"];
  worktree: Worktree | null;
  moved: boolean;
  /** What git had checked out then, where there is a worktree. */
  git?: GitState | undefined;
  /** Asked before it gets its name. */
  isStillNeeded: () => boolean;
}

export interface Made {
  /** A link to a repository was left out: it was another directory's. */
  unlinked: boolean;
  /** Paths that could not be given all their extended attributes. */
  incomplete: string[];
}

/**
 * Makes a workspace that is missing, beside its place; it gets its name when it is whole. Null when there is one: a
 * workspace that exists is never touched.
 */
export const restoreMissing = (
  storage: CheckpointStorage,
  { cwd, tree, worktree, moved, git, isStillNeeded }: Missing,
): Promise<Made | null> =>
  storage.locks.hold(cwd, async () => {
    if ((await kindOf(cwd)) !== "missing") return null;
    if ((await lstat(cwd).catch(() => null)) !== null)
      throw new VaultFailure(
        "not_found",
        `${cwd} is a link that leads nowhere`,
      );
    await mkdir(dirname(cwd), { recursive: true });
    const vault = await storage.vault();
    const draft = await vault.draftDirectory(cwd);
    const link = moved && tree !== null ? await gitLinkIn(vault, tree) : null;
    let incomplete: string[] = [];
    try {
      if (worktree !== null) await remakeWorktree(worktree, draft, git);
      if (tree !== null)
        incomplete = await restoreInto(storage, tree, draft, worktree !== null);
      if (link !== null) await removeGitLink(draft, link);
      if (!isStillNeeded()) return null;
      // Whoever finds it by its name takes it for whole, also after a power cut.
      await vault.flush(draft);
      await placeDurably(draft, cwd);
    } finally {
      // Nothing is left beside somebody's directories, unless we are killed.
      await removeAll(draft);
      await vault.endDraftDirectory(cwd);
    }
    if (worktree !== null) await repairWorktree(worktree);
    return { unlinked: link !== null, incomplete };
  });

/** What an earlier try left there is used. How a worktree finds its repository is git's business, not the checkpoint's. */
const restoreInto = async (
  storage: CheckpointStorage,
  tree: string,
  draft: string,
  isWorktree: boolean,
): Promise<string[]> => {
  const vault = await storage.vault();
  const workspace = {
    leaveOut: isWorktree ? [join(draft, ".git")] : [],
    cacheKey: null,
    signal: storage.closing,
  };
  const plan = await vault.planRestore({ ...workspace, tree, into: draft });
  return restoreProven(vault, { ...workspace, root: draft }, plan);
};

/**
 * Does what was planned, then looks at all of it again: what is there must be what was saved. Where it is not, somebody
 * else writes there: every byte was proved by its hash before it was written. Paths that the plan leaves as they are do
 * not count. Resolves with the paths that could not be given all their extended attributes.
 */
export const restoreProven = async (
  vault: Vault,
  workspace: Workspace,
  plan: RestorePlan,
  except: readonly string[] = [],
): Promise<string[]> => {
  const { kept, incomplete } = await vault.restore(plan, workspace.signal);
  // A socket, say, cannot be made.
  const impossible = new Set(kept);
  const lacking = new Set(incomplete);
  const isLeft = isAmong(except);
  const holdsLeft = isAbove(except);
  const different = (
    await vault.compare(plan.tree, { ...workspace, proven: true })
  ).find(
    ({ path, kind }) =>
      kind !== "time" &&
      !impossible.has(path) &&
      !isLeft(path) &&
      !(kind === "added" && holdsLeft(path)) &&
      !(kind === "mode" && lacking.has(path)),
  );
  if (different !== undefined)
    throw new VaultFailure(
      "changed",
      `something else keeps writing to ${different.path}`,
    );
  return incomplete;
};
