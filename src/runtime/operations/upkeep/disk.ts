import type { Checkpoint } from "../../../contract/checkpoint.ts";
import type { DiskUse } from "../../../contract/checkpoint-route.ts";
import type { SessionId } from "../../../contract/id.ts";
import { LOCAL } from "../../../contract/place.ts";
import type { Store } from "../../ports/store.ts";
import { askPlace } from "../ask-place.ts";
import { requireSession } from "../damage.ts";
import type { OperationDeps } from "../operation-deps.ts";

export const diskOperations = (deps: OperationDeps) => ({
  showDiskUse: (session?: SessionId) => showDiskUse(deps, session),
});

/** What the checkpoints of each session take, the largest first. */
const showDiskUse = async (
  { store, places }: OperationDeps,
  session?: SessionId,
): Promise<DiskUse> => {
  if (session !== undefined) await requireSession({ store }, session);
  const trees = await treesBySession(store, session);
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

const treesBySession = async (
  store: Store,
  session: SessionId | undefined,
): Promise<Map<SessionId, Set<string>>> => {
  const trees = new Map<SessionId, Set<string>>();
  if (session === undefined)
    for await (const { session_id, checkpoints } of store.needed())
      trees.set(session_id, treesOf(checkpoints));
  else {
    const told = await store.checkpoints(session);
    if (told.length > 0)
      trees.set(session, treesOf(told.map(({ data }) => data.checkpoint)));
  }
  return trees;
};

/** What must be kept for these: workspaces, and the agents' own files. */
export const treesOf = (
  checkpoints: Iterable<Pick<Checkpoint, "tree" | "agent_state">>,
): Set<string> => {
  const trees = new Set<string>();
  for (const { tree, agent_state } of checkpoints)
    for (const each of [tree, agent_state]) if (each !== null) trees.add(each);
  return trees;
};
