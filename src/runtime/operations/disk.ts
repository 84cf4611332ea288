import type { DiskUse } from "../../contract/checkpoint-route.ts";
import type { SessionId } from "../../contract/id.ts";
import { LOCAL } from "../../contract/place.ts";
import type { CheckpointEvent } from "../ports.ts";
import { askPlace } from "./ask-place.ts";
import { requireSession } from "./damage.ts";
import type { House } from "./house.ts";

export const diskOperations = (house: House) => ({
  showDiskUse: (session?: SessionId) => showDiskUse(house, session),
});

/** What the checkpoints of each session take, the largest first. */
const showDiskUse = async (
  { store, places }: House,
  session?: SessionId,
): Promise<DiskUse> => {
  if (session !== undefined) await requireSession({ store }, session);
  const told =
    session === undefined
      ? (await store.allCheckpoints()).told
      : await store.checkpoints(session);
  const trees = treesBySession(told);
  const place = await places.obtain(LOCAL);
  const { sets, total_bytes } = await askPlace(
    place.workspaces.disk({
      sets: [...trees].map(([id, each]) => ({ id, trees: [...each] })),
    }),
  );
  const bytes = new Map(sets.map((set) => [set.id, set.bytes]));
  const sessions: DiskUse["sessions"] = [];
  for (const id of trees.keys()) {
    const view = await store.session(id);
    if (view === null) continue;
    const { name, deleted_at } = view;
    sessions.push({ id, name, deleted_at, bytes: bytes.get(id) ?? 0 });
  }
  return {
    sessions: sessions.sort((a, b) => b.bytes - a.bytes),
    total_bytes,
  };
};

/** What must be kept for each session: workspaces, and the agents' own files. */
export const treesBySession = (
  told: readonly CheckpointEvent[],
): Map<SessionId, Set<string>> => {
  const sessions = new Map<SessionId, Set<string>>();
  for (const { session_id, data } of told) {
    const { tree, agent_state } = data.checkpoint;
    const trees = sessions.get(session_id) ?? new Set();
    for (const each of [tree, agent_state]) if (each !== null) trees.add(each);
    sessions.set(session_id, trees);
  }
  return sessions;
};
