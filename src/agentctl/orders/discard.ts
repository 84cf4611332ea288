import { join } from "node:path";
import { realpath } from "node:fs/promises";
import type { LinkParams } from "../../contract/link/link.ts";
import { homeOf } from "../daemon/agent-where.ts";
import type { Executions } from "../execution/executions.ts";
import { pathsOf } from "../daemon/kept-path.ts";
import type { Owner } from "../base/owners.ts";
import type { Daemon } from "../daemon/daemon.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import { GIT_LINK } from "../workspace/git/git-link.ts";
import { releaseCommitsOf } from "../workspace/git/kept-commits.ts";
import { removeAll } from "../workspace/rewind/remove-all.ts";
import { dropBranch, removeWorktree } from "../workspace/git/worktree.ts";
import { isInside } from "../../kit/files/is-inside.ts";
import { findMounts } from "../workspace/capture/pseudo-mounts.ts";

/** Removes what belongs to a session alone, and nothing of anybody else's. */
export const discard = async (
  daemon: Daemon,
  executions: Executions,
  { session_id, worktree, unused = false, rewound_in }: LinkParams<"discard">,
  owner: Owner,
): Promise<void> => {
  const all = await executions.all();
  if (all.some((it) => it.session === session_id && !it.history.ended))
    throw new LinkError("predecessor_alive", `an agent of ${session_id} runs`);
  const workspace = join(daemon.storage.home, "workspaces", session_id);
  const own = [
    workspace,
    homeOf(daemon, session_id),
    pathsOf(daemon, session_id),
  ];
  await refuseMounts(worktree === null ? own : [worktree.path, ...own]);
  if (worktree !== null) await removeWorktree(worktree, session_id);
  if (worktree !== null && unused) await dropBranch(worktree);
  if (rewound_in !== undefined)
    await releaseCommitsOf(join(rewound_in, GIT_LINK), session_id);
  for (const directory of own) await removeAll(directory);
  await daemon.seen.forget(session_id);
  await daemon.fences.drop({ owner, session: session_id });
};

/** Refuses to remove directories in which something is mounted: all that is in it would be removed as well. */
const refuseMounts = async (directories: readonly string[]): Promise<void> => {
  const mounts = [...(await findMounts()).keys()];
  for (const directory of directories) {
    // Mounts are listed by their real paths.
    const real = await realpath(directory).catch(() => directory);
    const mount = mounts.find((each) => isInside(each, real));
    if (mount !== undefined)
      throw new LinkError(
        "workspace_mounted",
        `${mount} is a mount point, so ${directory} is not removed: unmount it first`,
      );
  }
};
