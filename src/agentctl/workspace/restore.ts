import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DRAFT_PREFIX } from "../../checkpoint/scan.ts";
import type { Rebuild, Worktree } from "../../contract/link-workspace.ts";
import { placeDurably } from "../../kit/durable-file.ts";
import type { Depot } from "./depot.ts";
import { kindOf } from "./look.ts";
import { remakeWorktree, repairWorktree } from "./worktree.ts";

export interface Missing {
  cwd: string;
  tree: Rebuild["tree"];
  worktree: Worktree | null;
  /** Asked before it gets its name. */
  isStillWanted(): boolean;
}

/**
 * Makes a workspace that is missing, beside its place; it gets its name when it is whole. False when there is one: a
 * workspace that exists is never touched.
 */
export const restoreMissing = (
  depot: Depot,
  { cwd, tree, worktree, isStillWanted }: Missing,
): Promise<boolean> =>
  depot.locks.hold(cwd, async () => {
    if ((await kindOf(cwd)) !== "missing") return false;
    await mkdir(dirname(cwd), { recursive: true });
    const draft = join(dirname(cwd), `${DRAFT_PREFIX}${basename(cwd)}`);
    if (worktree !== null) await remakeWorktree(worktree, draft);
    if (tree !== null) await restoreInto(depot, tree, draft, worktree !== null);
    if (!isStillWanted()) return false;
    await placeDurably(draft, cwd);
    if (worktree !== null) await repairWorktree(worktree);
    return true;
  });

/** What an earlier try left there is used. How a worktree finds its repository is git's business, not the checkpoint's. */
const restoreInto = async (
  depot: Depot,
  tree: string,
  draft: string,
  isWorktree: boolean,
): Promise<void> => {
  const vault = await depot.vault();
  const plan = await vault.planRestore({
    tree,
    into: draft,
    cacheKey: null,
    leaveOut: isWorktree ? [join(draft, ".git")] : [],
    signal: depot.closing,
  });
  await vault.restore(plan, depot.closing);
};
