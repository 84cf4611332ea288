import type { DiskUse } from "../../../contract/api/checkpoint-route.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import { type PlaceRef, placeKey } from "../../../contract/base/place.ts";
import type { Place } from "../../ports/executors.ts";
import { askPlace } from "../ask-place.ts";
import { placeOfSession } from "../chosen-place.ts";
import { requireSession } from "../damage.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { atPlaces, placesInUse, resultsOf, told } from "./at-places.ts";
import { treesOf } from "./needs.ts";

export const diskOperations = (deps: OperationDeps) => ({
  showDiskUse: (session?: SessionId) => showDiskUse(deps, session),
});

/** What the checkpoints of each session take, the largest first. Those at a place that cannot be reached are left out. */
const showDiskUse = async (
  deps: OperationDeps,
  session?: SessionId,
): Promise<DiskUse> => {
  const { store } = deps;
  if (session !== undefined) await requireSession({ store }, session);
  const trees =
    session === undefined
      ? await treesOfAll(deps)
      : await treesOfOne(deps, session);
  const places = await atPlaces(
    deps,
    [...trees.values()].map(({ place }) => place),
    (place, at) => measure(place, trees.get(placeKey(at))?.sets ?? new Map()),
  );
  const results = resultsOf(places);
  const bytes = new Map<SessionId, number>();
  for (const [id, taken] of results.flatMap((each) => each.sessions))
    bytes.set(id, (bytes.get(id) ?? 0) + taken);
  const sessions: DiskUse["sessions"] = [];
  for (const [id, taken] of bytes) {
    const view = await store.session(id);
    if (view === null) continue;
    const { name, deleted_at } = view;
    sessions.push({ id, name, deleted_at, bytes: taken });
  }
  return {
    sessions: sessions.sort((a, b) => b.bytes - a.bytes),
    total_bytes: results.reduce((sum, each) => sum + each.total_bytes, 0),
    places: places.map((each) =>
      told(each, ({ total_bytes }) => ({ total_bytes })),
    ),
  };
};

type Sets = Map<SessionId, Set<string>>;
type TreesByPlace = Map<string, { place: PlaceRef; sets: Sets }>;

const measure = async (place: Place, trees: Sets) => {
  const { sets, total_bytes } = await askPlace(
    place.workspaces.disk({
      sets: [...trees].map(([id, each]) => ({ id, trees: [...each] })),
    }),
  );
  const bytes = new Map(sets.map((set) => [set.id, set.bytes]));
  const sessions = [...trees.keys()].map(
    (id) => [id, bytes.get(id) ?? 0] as const,
  );
  return { total_bytes, sessions };
};

const treesOfAll = async (deps: OperationDeps): Promise<TreesByPlace> => {
  const found: TreesByPlace = new Map();
  for (const place of await placesInUse(deps))
    found.set(placeKey(place), { place, sets: new Map() });
  for await (const { session_id, checkpoints } of deps.store.needed())
    for (const checkpoint of checkpoints) {
      const { place } = checkpoint;
      const sets = place && found.get(placeKey(place))?.sets;
      if (!sets) continue;
      const own = sets.get(session_id) ?? new Set<string>();
      sets.set(session_id, own);
      for (const tree of treesOf([checkpoint])) own.add(tree);
    }
  return found;
};

const treesOfOne = async (
  deps: OperationDeps,
  session: SessionId,
): Promise<TreesByPlace> => {
  const events = await deps.store.checkpoints(session);
  const place = await placeOfSession(deps, session);
  if (place === null) return new Map();
  const sets: Sets = new Map();
  if (events.length > 0)
    sets.set(session, treesOf(events.map(({ data }) => data.checkpoint)));
  return new Map([[placeKey(place), { place, sets }]]);
};
