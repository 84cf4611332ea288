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
  const { trees, unplaced } =
    session === undefined
      ? await treesOfAll(deps)
      : { trees: await treesOfOne(deps, session), unplaced: [] };
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
    const { name, first_prompt, deleted_at } = view;
    sessions.push({ id, name, first_prompt, deleted_at, bytes: taken });
  }
  return {
    sessions: sessions.sort((a, b) => b.bytes - a.bytes),
    total_bytes: results.reduce((sum, each) => sum + each.total_bytes, 0),
    places: places.map((each) =>
      told(each, ({ total_bytes }) => ({ total_bytes })),
    ),
    ...(unplaced.length > 0 && { unplaced }),
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

interface AllTrees {
  trees: TreesByPlace;
  /** Of these checkpoints nobody knows the place: they are looked for at every one, and take nothing where they are not. */
  unplaced: NonNullable<DiskUse["unplaced"]>;
}

const treesOfAll = async (deps: OperationDeps): Promise<AllTrees> => {
  const trees: TreesByPlace = new Map();
  const setsAt = (place: PlaceRef): Sets => {
    const at = trees.get(placeKey(place)) ?? { place, sets: new Map() };
    trees.set(placeKey(place), at);
    return at.sets;
  };
  for (const place of await placesInUse(deps)) setsAt(place);
  const unplaced: (AllTrees["unplaced"][number] & { trees: Set<string> })[] =
    [];
  for await (const { session_id, checkpoints } of deps.store.needed()) {
    for (const checkpoint of checkpoints)
      if (checkpoint.place !== null)
        addTo(setsAt(checkpoint.place), session_id, treesOf([checkpoint]));
    const lost = checkpoints.filter(({ place }) => place === null);
    if (lost.length > 0)
      unplaced.push({
        session_id,
        checkpoints: lost.length,
        trees: treesOf(lost),
      });
  }
  for (const { sets } of trees.values())
    for (const each of unplaced) addTo(sets, each.session_id, each.trees);
  return {
    trees,
    unplaced: unplaced.map(({ session_id, checkpoints }) => ({
      session_id,
      checkpoints,
    })),
  };
};

const addTo = (
  sets: Sets,
  session: SessionId,
  trees: ReadonlySet<string>,
): void => {
  sets.set(session, trees.union(sets.get(session) ?? new Set()));
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
