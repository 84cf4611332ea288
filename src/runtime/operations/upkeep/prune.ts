/** Freeing what no checkpoint needs any more, place by place: each vault by what the checkpoints in it need. */
import type { Collected } from "../../../contract/api/checkpoint-route.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import {
  isSamePlace,
  type PlaceRef,
  placeKey,
} from "../../../contract/base/place.ts";
import type { Lanes } from "../../../kit/time/lanes.ts";
import type { Place } from "../../ports/executors.ts";
import { askPlace } from "../ask-place.ts";
import type { OperationDeps } from "../operation-deps.ts";
import {
  type AtPlace,
  atPlaces,
  type Means,
  resultsOf,
  told,
} from "./at-places.ts";
import { NeedsReader } from "./needs.ts";
import { affectedBy } from "./verify.ts";

type Freed = Pick<
  Collected,
  "freed_bytes" | "kept_bytes" | "blocked_by" | "damaged_sessions"
>;

interface Pruning {
  /** By place. One that takes longer than anybody waits for is over before the next begins. */
  lanes: Lanes;
  places: readonly PlaceRef[];
  /** Sessions that count as gone. */
  without: ReadonlySet<SessionId>;
  dry_run: boolean;
}

export const prunePlaces = (
  deps: OperationDeps & Means,
  { lanes, places, without, dry_run }: Pruning,
): Promise<AtPlace<Freed>[]> => {
  const reader = new NeedsReader(deps.store, without);
  return atPlaces(deps, places, (place, at) =>
    lanes.run(placeKey(at), () =>
      prune(deps, place, { at, reader, without, dry_run }),
    ),
  );
};

/** The sums, and what they are made of. */
export const sumOf = (
  all: readonly AtPlace<Freed>[],
): Freed & Pick<Collected, "places"> => {
  const results = resultsOf(all);
  const blocked_by = results.flatMap((each) => each.blocked_by ?? []);
  const damaged = results.flatMap((each) => each.damaged_sessions ?? []);
  return {
    freed_bytes: results.reduce((sum, each) => sum + each.freed_bytes, 0),
    kept_bytes: results.reduce((sum, each) => sum + each.kept_bytes, 0),
    ...(blocked_by.length > 0 && { blocked_by }),
    ...(damaged.length > 0 && { damaged_sessions: [...new Set(damaged)] }),
    places: all.map((each) => told(each, (freed) => freed)),
  };
};

/** What is captured meanwhile is safe: it comes after the mark, or is told of before the store is read. */
const prune = async (
  { captures, engine, store }: OperationDeps,
  place: Place,
  {
    at,
    reader,
    without,
    dry_run,
  }: { at: PlaceRef; reader: NeedsReader } & Pick<
    Pruning,
    "without" | "dry_run"
  >,
): Promise<Freed> => {
  const unswept = await store.unswept();
  const { mark } = await askPlace(place.workspaces.prune_begin({}));
  await captures.drain(at);
  const { trees, damaged } = await reader.at(at);
  // P8: what a damaged journal told of checkpoints is not known, so nothing is known to be unused.
  if (damaged.length > 0) {
    const { total_bytes } = await askPlace(place.workspaces.disk({ sets: [] }));
    return {
      freed_bytes: 0,
      kept_bytes: total_bytes,
      damaged_sessions: damaged,
    };
  }
  const { unreadable = [], ...pruned } = await askPlace(
    place.workspaces.prune({ mark, trees: [...trees], dry_run }),
  );
  if (unreadable.length === 0) {
    const due = unswept.find((each) => isSamePlace(each.place, at));
    if (due !== undefined && !dry_run)
      await engine.writeAt(at, (term) => store.noteSwept(term, due.purges));
    return pruned;
  }
  const blocking = new Map(unreadable.map((tree) => [tree, {}]));
  const affected = await affectedBy(blocking, at, store);
  return {
    ...pruned,
    blocked_by: affected.filter(({ session_id }) => !without.has(session_id)),
  };
};
