/** What was made for sessions that never came to be: a server was killed before it wrote them down. */
import { SessionId } from "../../../contract/id.ts";
import { LOCAL } from "../../../contract/place.ts";
import { abandonForks } from "../rewind/fork-notes.ts";
import type { OperationDeps } from "../operation-deps.ts";

/** Has it taken away. What is younger than the server that asks may be about to be written down. */
export const abandonUnmade = async (
  deps: OperationDeps,
  youngest: SessionId,
): Promise<void> => {
  const { ownDirectories, store, places, log } = deps;
  await abandonForks(deps, youngest);
  for (const name of await ownDirectories.list()) {
    const { data: session_id } = SessionId.safeParse(name);
    if (session_id === undefined || session_id >= youngest) continue;
    if ((await store.session(session_id)) !== null) continue;
    try {
      const place = await places.obtain(LOCAL);
      const { removed } = await place.workspaces.abandon({ session_id });
      if (removed)
        log.info({ session_id }, "a session that never came to be is removed");
    } catch (error) {
      log.warn(
        { session_id, err: error },
        "what was made for a session that never came to be is left behind",
      );
    }
  }
};
