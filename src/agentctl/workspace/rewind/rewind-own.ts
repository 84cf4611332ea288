/** A rewind in a directory that others share: only what this session's turns did is undone, and git stays as it is. */
import type { Vault, Workspace } from "../../../checkpoint/vault.ts";
import type { Change } from "../../../contract/session/checkpoint.ts";
import type { LinkParams, LinkResult } from "../../../contract/link/link.ts";
import { changesBetween, headChange, type Window } from "../changes/edits.ts";
import { isAmong } from "../git/path-sets.ts";
import { conflictsOf, ownPaths, type Sharing } from "./plan-rewind.ts";
import { leftAlone, planned } from "../changes/planned.ts";
import { repositoriesIn } from "../git/repositories.ts";
import {
  realChanges,
  toldChanges,
  toldConflicts,
  toldIncomplete,
} from "../changes/told-changes.ts";

export const rewindOwn = async (
  vault: Vault,
  workspace: Workspace,
  { tree, dry_run, others, head: was }: LinkParams<"rewind">,
  own: readonly Window[],
): Promise<LinkResult<"rewind">> => {
  const { root } = workspace;
  const all = await sharingOf(vault, workspace, { tree, own, others });
  const repositories = await repositoriesIn(vault, root, tree, all.own.flat());
  const sharing = besides(all, [...repositories.kept, ...repositories.lent]);
  const only = [...ownPaths(sharing)];
  const plan = await planned(vault, workspace, { tree, only });
  const conflicts = conflictsOf(sharing, realChanges(plan.changes));
  let incomplete: string[] = [];
  if (conflicts.length === 0 && !dry_run) {
    ({ incomplete } = await vault.restore(plan));
    await vault.flush(root);
  }
  const head = dry_run ? await headChange(root, was, false) : undefined;
  return {
    ...toldChanges(plan.changes),
    ...leftAlone(plan, repositories),
    ...(head && { head }),
    ...toldConflicts(conflicts),
    ...toldIncomplete(incomplete),
  };
};

/** What happened, and whose doing it can have been: turns of this session, turns of others, and the time between. */
const sharingOf = async (
  vault: Vault,
  workspace: Workspace,
  {
    tree,
    own,
    others,
  }: { tree: string } & Record<"own" | "others", readonly Window[]>,
): Promise<Sharing> => {
  const diff = async ({ from, to }: Window) =>
    realChanges(await vault.diff(from, to));
  return {
    own: await Promise.all(own.map(diff)),
    meanwhile: await changesBetween(vault, workspace, tree, own),
    others: await Promise.all(others.map(diff)),
  };
};

/** Without what happened in these directories. */
const besides = (
  { own, meanwhile, others }: Sharing,
  directories: readonly string[],
): Sharing => {
  const isOut = isAmong(directories);
  const rest = (parts: readonly (readonly Change[])[]) =>
    parts.map((part) => part.filter(({ path }) => !isOut(path)));
  return { own: rest(own), meanwhile: rest(meanwhile), others: rest(others) };
};
