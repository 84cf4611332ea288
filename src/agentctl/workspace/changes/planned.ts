/** What a rewind would do to a workspace, and what it leaves alone there. */
import type { RestorePlan } from "../../../checkpoint/restore/restore-plan.ts";
import type {
  RestoreRequest,
  Vault,
  Workspace,
} from "../../../checkpoint/vault.ts";
import type { Unknown } from "../../../contract/session/checkpoint.ts";
import type { Repositories } from "../git/repositories.ts";
import { mountedAt } from "./told-changes.ts";

export const planned = (
  vault: Vault,
  { root, ...rest }: Workspace,
  request: Pick<RestoreRequest, "tree" | "only" | "except" | "captured">,
): Promise<RestorePlan> =>
  vault.planRestore({ ...rest, ...request, into: root });

/** What is mounted there now belongs to somebody else, and so does a repository in which others have worktrees. */
export const leftAlone = (
  { mounted }: RestorePlan,
  { lent }: Repositories,
): { left_alone?: Unknown[] } => {
  const left_alone = [
    ...mountedAt(mounted),
    ...lent.map((path) => ({ path, reason: "other_worktrees" }) as const),
  ];
  return left_alone.length === 0 ? {} : { left_alone };
};
