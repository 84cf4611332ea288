/** What was made for sessions that never came to be: a server was killed before it wrote them down. */
import { SessionId } from "../../../contract/base/id.ts";
import {
  LOCAL,
  type PlaceRef,
  placeKey,
} from "../../../contract/base/place.ts";
import { leftByForks, type Unmade } from "../rewind/fork-notes.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { atPlaces, type Means } from "./at-places.ts";

/** Has it taken away. What is younger than the server that asks may be about to be written down. */
export const abandonUnmade = async (
  deps: OperationDeps & Means,
  youngest: SessionId,
): Promise<void> => {
  const left = [
    ...(await leftByForks(deps, youngest)),
    ...(await ownDirectories(deps, youngest)),
  ];
  const places = new Map<string, PlaceRef>();
  for (const { at } of left) places.set(placeKey(at), at);
  await atPlaces(deps, [...places.values()], async (place, at) => {
    for (const each of left) {
      if (placeKey(each.at) !== placeKey(at)) continue;
      await each.remove(place).catch((error: unknown) => {
        deps.log.warn(
          { session_id: each.session_id, err: error },
          "what was made for a session that never came to be is left behind",
        );
      });
    }
  });
};

/** Directories lie in the home of the server, so they are this machine's. */
const ownDirectories = async (
  { ownDirectories, store, log }: OperationDeps,
  youngest: SessionId,
): Promise<Unmade[]> => {
  const left: Unmade[] = [];
  for (const name of await ownDirectories.list()) {
    const { data: session_id } = SessionId.safeParse(name);
    if (session_id === undefined || session_id >= youngest) continue;
    if ((await store.session(session_id)) !== null) continue;
    left.push({
      session_id,
      at: LOCAL,
      remove: async (place) => {
        const { removed } = await place.workspaces.abandon({ session_id });
        if (removed)
          log.info(
            { session_id },
            "a session that never came to be is removed",
          );
      },
    });
  }
  return left;
};
