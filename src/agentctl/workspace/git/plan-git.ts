/** What becomes of the repositories in a workspace when it is brought back. Whoever is at work in one of them is not overtaken. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Change as Difference } from "../../../checkpoint/trees/change.ts";
import type { Vault, Workspace } from "../../../checkpoint/vault.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import { gitSucceeds } from "./git.ts";
import {
  type GitDirectory,
  headIn,
  isOwnStore,
  isSame,
} from "./git-directory.ts";
import { checkoutIn, refsIn } from "./git-in-tree.ts";
import { GIT_LINK } from "./git-link.ts";
import type { Checkout } from "./git-state.ts";
import { isAmong, upwards } from "./path-sets.ts";
import { LOCKS, type Repositories } from "./repositories.ts";
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
  where: GitDirectory;
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

const refuseAtWork = (where: GitDirectory, branch: string | null): void => {
  const lock = [...LOCKS, ...(branch === null ? [] : [`${branch}.lock`])]
    .map((name) => join(where.gitDirectory, name))
    .find((path) => existsSync(path));
  if (lock !== undefined)
    throw new LinkError(
      "workspace_changing",
      `git is at work in ${where.gitDirectory}, or was killed there: if no git runs, remove ${lock}`,
    );
};

/** Whoever committed after it was captured is not overtaken. */
const refuseChanged = async (
  where: GitDirectory,
  to: Checkout,
  from: Checkout,
): Promise<void> => {
  if (!isOwnStore(where)) return;
  // What git cannot read now, because its settings are damaged, say, nobody has committed to.
  if (!(await gitSucceeds(where, "rev-parse", "--git-dir"))) return;
  const now = await headIn(where);
  if (![from, to, { ...to, branch: null }].some((it) => isSame(now, it)))
    throw new LinkError(
      "workspace_changing",
      `something was committed or checked out in ${where.gitDirectory} after it was captured`,
    );
};
