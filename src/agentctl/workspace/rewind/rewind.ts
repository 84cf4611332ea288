import { lstat, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Change as Difference } from "../../../checkpoint/trees/change.ts";
import type { RestorePlan } from "../../../checkpoint/restore/restore-plan.ts";
import type { Vault, Workspace } from "../../../checkpoint/vault.ts";
import type { Change } from "../../../contract/session/checkpoint.ts";
import type { LinkParams, LinkResult } from "../../../contract/link/link.ts";
import type { Worktree } from "../../../contract/link/link-workspace.ts";
import { isInside } from "../../../kit/files/is-inside.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import { bringBack } from "../git/bring-back-git.ts";
import type { CheckpointStorage } from "../../storage/checkpoint-storage.ts";
import {
  besidesEdits,
  changesBetween,
  editsAmong,
  headChange,
  holdsRepository,
  usedBetween,
} from "../changes/edits.ts";
import { GIT_LINK, gitLinkIn, removeGitLink } from "../git/git-link.ts";
import {
  canMoveGit,
  type GitMove,
  moveBranch,
  moveGit,
  refuseGitAtWork,
} from "../git/git-rewind.ts";
import { kindOf } from "../capture/kind-of.ts";
import { planGit } from "../git/plan-git.ts";
import { leftAlone, planned } from "../changes/planned.ts";
import { type Repositories, repositoriesIn } from "../git/repositories.ts";
import { restoreMissing, restoreProven } from "./restore.ts";
import { rewindOwn } from "./rewind-own.ts";
import { workspaceAt } from "../capture/root.ts";
import {
  MAX_CHANGES,
  realChanges,
  toldChanges,
  toldIncomplete,
} from "../changes/told-changes.ts";

type Order = LinkParams<"rewind">;
type Result = LinkResult<"rewind">;

/** Brings a workspace back to a tree, or says what that would do. Conflicts are told, and then nothing is touched. */
export const rewind = async (
  storage: CheckpointStorage,
  order: Order,
): Promise<Result> => {
  if ((await kindOf(order.cwd)) === "missing") return remake(storage, order);
  const workspace = await rewindable(storage.home, order);
  await refuseElsewhere(storage.home, order, workspace.root);
  if (order.own === null) await refuseHome(workspace.root);
  return storage.locks.hold(workspace.root, async () => {
    const vault = await storage.vault();
    return order.own === null
      ? rewindAll(vault, workspace, order)
      : rewindOwn(vault, workspace, order, order.own);
  });
};

/** A directory is known by its real path: where a link leads elsewhere now, what is there is not the session's. */
const refuseElsewhere = async (
  home: string,
  { cwd, session_id }: Order,
  root: string,
): Promise<void> => {
  // The home may have been moved, and what was made for the session with it.
  const own = join(await realpath(home), "workspaces", session_id);
  if (root !== cwd && root !== own)
    throw new LinkError(
      "workspace_changing",
      `${cwd} leads to ${root} by a link now, and what is there is not undone. Put the directory back in its place, or fork the session at that turn.`,
    );
};

/** How a worktree finds its repository is git's business: it may have been made again since. */
const rewindable = async (
  home: string,
  { cwd, env }: Order,
): Promise<Workspace> => {
  const workspace = await workspaceAt(home, cwd, env ?? process.env);
  const link = join(workspace.root, GIT_LINK);
  const isWorktree = (await lstat(link).catch(() => null))?.isFile() === true;
  return isWorktree ? withoutGit(workspace) : workspace;
};

const withoutGit = (workspace: Workspace): Workspace => ({
  ...workspace,
  leaveOut: [
    ...new Set(workspace.leaveOut).add(join(workspace.root, GIT_LINK)),
  ],
});

/** There, all that the person did since would go back with the session, and every program that runs would find it changed. */
const refuseHome = async (root: string): Promise<void> => {
  const person = await realpath(homedir()).catch(() => homedir());
  if (isInside(person, root))
    throw new LinkError(
      "workspace_holds_home",
      `${root} is your home directory, or holds it: a rewind would take back all that you did there since, not only what the session did. Fork the session at that turn instead, and take from the fork what you need.`,
    );
};

const remake = async (
  storage: CheckpointStorage,
  {
    session_id,
    cwd,
    tree,
    dry_run,
    worktree = null,
    moved = false,
    git,
  }: Order,
): Promise<Result> => {
  const vault = await storage.vault();
  const link = moved ? await gitLinkIn(vault, tree) : null;
  const all = toldChanges(besides(link, await vault.diff(null, tree)));
  if (dry_run) return { ...all, conflicts: [] };
  const move = await gitMoveOf(worktree?.repository, worktree, git);
  if (move !== null)
    await moveBranch(session_id, move.repository, move.branch, move.to);
  const made = await restoreMissing(storage, {
    cwd,
    tree,
    worktree,
    moved,
    git: move?.to,
    isStillNeeded: () => true,
  });
  if (made === null)
    throw new LinkError(
      "workspace_changing",
      `${cwd} was missing, and somebody made it meanwhile`,
    );
  return {
    ...all,
    ...(move === null && git !== undefined && { commit_missing: true }),
    conflicts: [],
    ...toldIncomplete(made.incomplete),
  };
};

const rewindAll = async (
  vault: Vault,
  original: Workspace,
  order: Order,
): Promise<Result> => {
  const { session_id, tree, dry_run, captured, moved = false } = order;
  const keeps = order.keep_edits === true;
  const move = keeps
    ? null
    : await gitMoveOf(original.root, order.worktree, order.git);
  const link = moved ? await gitLinkIn(vault, tree) : null;
  const workspace = link === null ? original : withoutGit(original);
  const request = { tree, ...(captured !== undefined && { captured }) };
  const everything = await planned(vault, workspace, request);
  const repositories = await repositoriesIn(
    vault,
    workspace.root,
    tree,
    everything.changes,
  );
  const { spared: except } = repositories;
  const all =
    except.length === 0
      ? everything
      : await planned(vault, workspace, { ...request, except });
  const edits = all.fresh
    ? []
    : await editsIn(vault, workspace, order, all, repositories);
  const plan = keeps
    ? await planned(vault, workspace, {
        ...request,
        except,
        only: besidesEdits(realChanges(all.changes), edits),
      })
    : all;
  const changes = plan.fresh ? await vault.diff(null, tree) : plan.changes;
  let incomplete: string[] = [];
  let isLost = !keeps && move === null && order.git !== undefined;
  if (!dry_run) {
    refuseUncaptured(plan);
    if (move !== null) await refuseGitAtWork(move, move);
    const repositoryPlans = keeps
      ? []
      : await planGit(vault, workspace, repositories, {
          ...request,
          changes: everything.changes,
        });
    incomplete = keeps
      ? (await vault.restore(plan)).incomplete
      : await restoreProven(vault, workspace, plan, except);
    if (move !== null) await moveGit(session_id, move, move.to);
    for (const each of repositoryPlans)
      if (!(await bringBack(session_id, each))) isLost = true;
    if (link !== null) await removeGitLink(workspace.root, link);
    await vault.flush(workspace.root);
  }
  const isGitBack =
    move !== null || (!keeps && (await holdsRepository(workspace.root)));
  const head = dry_run
    ? await headChange(workspace.root, order.head, isGitBack)
    : undefined;
  return {
    ...toldChanges(besides(link, changes)),
    ...leftAlone(plan, repositories),
    ...(isLost && { commit_missing: true }),
    ...(edits.length > 0 && {
      edits: edits.slice(0, MAX_CHANGES),
      keeps_edits: keeps,
    }),
    ...(head && { head }),
    conflicts: [],
    ...toldIncomplete(incomplete),
  };
};

/** A person's, as far as it is known what the turns did. */
const editsIn = async (
  vault: Vault,
  workspace: Workspace,
  { tree, turns }: Order,
  { changes }: RestorePlan,
  { kept }: Repositories,
): Promise<Change[]> => {
  if (turns === undefined) return [];
  const between = await changesBetween(vault, workspace, tree, turns);
  return [
    ...editsAmong(realChanges(changes), between),
    ...usedBetween(kept, between),
  ];
};

/** Where git goes back too: in a worktree that was made for the session, as long as git has the commit. */
const gitMoveOf = async (
  directory: string | undefined,
  worktree: Order["worktree"],
  move: Order["git"],
): Promise<(Worktree & GitMove) | null> => {
  if (directory === undefined || worktree == null || move === undefined)
    return null;
  return (await canMoveGit(directory, move.to))
    ? { ...worktree, ...move }
    : null;
};

const refuseUncaptured = ({ uncaptured: [path] }: RestorePlan): void => {
  if (path !== undefined)
    throw new LinkError(
      "workspace_changing",
      `${path} was changed after the workspace had been captured`,
    );
};

/** A link that is left out is none of the changes. */
const besides = (link: Buffer | null, changes: readonly Difference[]) =>
  changes.filter(({ path }) => link === null || path !== GIT_LINK);
