import type { SessionId } from "../../contract/base/id.ts";
import type { Worktree } from "../../contract/link/link-workspace.ts";
import type { Place } from "../ports/executors.ts";
import type { OperationDeps } from "./operation-deps.ts";

/** Takes away what was made for a session that could not be created. Where that cannot be told, nothing is taken. */
export const discardUnused = async (
  { store, log }: Pick<OperationDeps, "store" | "log">,
  place: Place,
  session_id: SessionId,
  worktree: Worktree | null,
): Promise<void> => {
  try {
    if ((await store.session(session_id)) !== null) return;
    await place.workspaces.discard({ session_id, worktree, unused: true });
  } catch (error) {
    log.warn(
      { session_id, err: error },
      "what was made for a session that could not be created is left behind",
    );
  }
};
