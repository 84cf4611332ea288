/** Letting go: by the retention policy, and then of everything that nothing needs any more. */
import { Collected } from "../../../contract/api/checkpoint-route.ts";
import { NoDraft } from "../../../contract/event/draft.ts";
import { isSamePlace } from "../../../contract/base/place.ts";
import type { GcRequest } from "../../../contract/api/request.ts";
import { Lanes } from "../../../kit/time/lanes.ts";
import type { OperationDeps } from "../operation-deps.ts";
import { once } from "../session-wish.ts";
import { placesInUse } from "./at-places.ts";
import { applyPolicy, type Fates, fates } from "./policy.ts";
import { prunePlaces, sumOf } from "./prune.ts";
import { abandonUnmade } from "./unmade.ts";
import { Verifications } from "./verify.ts";

export const gcOperations = (deps: OperationDeps) => {
  // Ids sort by age: whatever has a lower one was begun by a server before us.
  const ours = deps.ids.session();
  const verifications = new Verifications(deps);
  // Their own, because a closing server waits for nothing that hangs at a place.
  const lanes = new Lanes();
  const collect = async (request: GcRequest): Promise<Collected> => {
    const { dry_run } = request;
    // Beside the lane: retention does not wait for hours.
    const verification =
      request.verify === true ? await verifications.ask(dry_run) : null;
    const collected = await collectGarbage(deps, lanes, ours, dry_run);
    return { ...collected, ...(verification && { verification }) };
  };
  return {
    /** To do it again frees what has become free meanwhile. */
    collectGarbage: (request: GcRequest, key?: string): Promise<Collected> =>
      once(deps, {
        scope: "gc",
        key,
        request,
        draft: NoDraft,
        answer: Collected,
        begin: async () => null,
        finish: () => collect(request),
      }),
    /** What the clock asks for. Vaults are swept only where a session has gone since the last sweep that was not in vain. */
    keepRetention: async (signal?: AbortSignal) => {
      const means = { ...deps, ...(signal && { signal }) };
      const fated = await lanes.run("policy", async () => {
        await abandonUnmade(means, ours);
        return applyPolicy(means);
      });
      const unswept = await deps.store.unswept();
      await prunePlaces(means, {
        lanes,
        places: unswept.map(({ place }) => place),
        without: new Set(),
        dry_run: false,
      });
      return namesOf(fated);
    },
  };
};

const collectGarbage = async (
  deps: OperationDeps,
  lanes: Lanes,
  ours: ReturnType<OperationDeps["ids"]["session"]>,
  dry_run: boolean,
): Promise<Collected> => {
  // Before a session goes that was the last one of its place: what it needed is freed there.
  const places = await placesInUse(deps);
  const fated = await lanes.run("policy", async () => {
    if (dry_run) return fates(deps);
    await abandonUnmade(deps, ours);
    return applyPolicy(deps);
  });
  const pruned = await prunePlaces(deps, {
    lanes,
    places,
    // What was purged is not in the store any more, unless it was imported again meanwhile.
    without: new Set(dry_run ? fated.purged.map(({ id }) => id) : []),
    dry_run,
  });
  // A session is not purged while its place does not answer, and a dry run names none that would stay.
  const unreached = pruned.filter((each) => "error" in each);
  const purged = fated.purged.filter(
    ({ place }) =>
      !dry_run || !unreached.some((each) => isSamePlace(each.place, place)),
  );
  return { dry_run, ...namesOf({ ...fated, purged }), ...sumOf(pruned) };
};

const namesOf = ({ ended, deleted, purged }: Fates) => ({
  ended,
  deleted,
  purged: purged.map(({ id }) => id),
});
