import { join } from "node:path";
import type { LinkParams } from "../../contract/link.ts";
import { homeOf } from "../agent-where.ts";
import type { Executions } from "../executions.ts";
import { pathsOf } from "../kept-path.ts";
import type { Owner } from "../owners.ts";
import type { Place } from "../place.ts";
import { Refused } from "../refused.ts";
import { GIT_LINK } from "./git-link.ts";
import { releaseCommitsOf } from "./kept-commits.ts";
import { refuseMounts } from "./refuse-mounts.ts";
import { removeAll } from "./remove-all.ts";
import { dropBranch, removeWorktree } from "./worktree.ts";

/** Removes what belongs to a session alone, and nothing of anybody else's. */
export const discard = async (
  place: Place,
  executions: Executions,
  { session_id, worktree, unused = false, rewound_in }: LinkParams<"discard">,
  owner: Owner,
): Promise<void> => {
  const all = await executions.all();
  if (all.some((it) => it.session === session_id && !it.history.ended))
    throw new Refused("predecessor_alive", `an agent of ${session_id} runs`);
  const workspace = join(place.depot.home, "workspaces", session_id);
  const own = [
    workspace,
    homeOf(place, session_id),
    pathsOf(place, session_id),
  ];
  await refuseMounts(worktree === null ? own : [worktree.path, ...own]);
  if (worktree !== null) await removeWorktree(worktree, session_id);
  if (worktree !== null && unused) await dropBranch(worktree);
  if (rewound_in !== undefined)
    await releaseCommitsOf(join(rewound_in, GIT_LINK), session_id);
  for (const directory of own) await removeAll(directory);
  await place.fences.drop({ owner, session: session_id });
};
