/** The same work at several places: side by side, each within a time of its own, so that none waits for another. */
import type { PlaceProblem } from "../../../contract/api/checkpoint-route.ts";
import {
  LOCAL,
  type PlaceRef,
  placeKey,
} from "../../../contract/base/place.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";
import { isSuperseded } from "../../../journal/superseded.ts";
import { DeadlineExceeded, within } from "../../../kit/time/deadline.ts";
import { orAborted } from "../../../kit/time/or-aborted.ts";
import type { Place } from "../../ports/executors.ts";
import { askPlace } from "../ask-place.ts";
import type { OperationDeps } from "../operation-deps.ts";

export interface Means extends Pick<
  OperationDeps,
  "held" | "places" | "reachMs" | "upkeepMs" | "log"
> {
  /** Ends the waiting for places and for what is done there. */
  signal?: AbortSignal;
}

export type AtPlace<T> =
  { place: PlaceRef; result: T } | { place: PlaceRef; error: RepriseError };

/** This machine, wherever else a session works, and where the vault is still to be swept after its last session. */
export const placesInUse = async ({
  store,
}: Pick<OperationDeps, "store">): Promise<PlaceRef[]> => {
  const unswept = (await store.unswept()).map(({ place }) => place);
  const all = [LOCAL, ...(await store.places()), ...unswept];
  return [...new Map(all.map((place) => [placeKey(place), place])).values()];
};

/** What became of it at each place. What takes longer than its time goes on, and nobody waits for it. */
export const atPlaces = <T>(
  deps: Means,
  places: readonly PlaceRef[],
  work: (place: Place, at: PlaceRef) => Promise<T>,
): Promise<AtPlace<T>[]> =>
  atEach(deps, places, async (at) => {
    try {
      const place = await reached(deps, at);
      const done = unlessAborted(work(place, at), deps.signal);
      return await within("the work", deps.upkeepMs, done);
    } catch (error) {
      deps.log.warn(
        { place: placeKey(at), err: error },
        "a place could not be looked after",
      );
      throw error;
    }
  });

/** What became of something at each place. */
export const atEach = <T>(
  { held }: Pick<OperationDeps, "held">,
  places: readonly PlaceRef[],
  work: (at: PlaceRef) => Promise<T>,
): Promise<AtPlace<T>[]> =>
  Promise.all(
    places.map(async (at): Promise<AtPlace<T>> => {
      try {
        return { place: at, result: await work(at) };
      } catch (error) {
        if (isSuperseded(error) && (await held.isHomeLost())) throw error;
        return { place: at, error: problemError(error, at) };
      }
    }),
  );

/** The agentctl of a place, or `agentctl_unavailable` where none answers in time. */
export const reached = async (
  { places, reachMs, signal }: Means,
  at: PlaceRef,
): Promise<Place> => {
  signal?.throwIfAborted();
  // The signal inside, so that no timer is left behind it: that would keep a closing server alive.
  const reaching = unlessAborted(places.obtain(at), signal);
  try {
    return await askPlace(within("reaching agentctl", reachMs, reaching));
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    throw new RepriseError(
      "agentctl_unavailable",
      `The agentctl of ${placeKey(at)} did not answer within ${reachMs / 1000} s. Try again when that place can be reached.`,
      { cause: error },
    );
  }
};

const unlessAborted = <T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> => (signal === undefined ? work : orAborted(work, signal));

/** The results of the places that have one. Where none has, the first problem is everybody's. */
export const resultsOf = <T>(all: readonly AtPlace<T>[]): T[] => {
  const results = all.flatMap((each) =>
    "result" in each ? [each.result] : [],
  );
  const [first] = all;
  if (results.length === 0 && first !== undefined && "error" in first)
    throw first.error;
  return results;
};

/** As it is told: what was done, or why nothing was. */
export const told = <T, R extends object>(
  each: AtPlace<T>,
  tell: (result: T) => R,
) =>
  "result" in each
    ? { place: each.place, ...tell(each.result) }
    : { place: each.place, problem: problemIn(each.error) };

const problemIn = ({ code, message }: RepriseError): PlaceProblem => ({
  code,
  detail: message,
});

/** Only what a place refuses, or that it was lost, is its own problem. A fault is not. */
const problemError = (error: unknown, at: PlaceRef): RepriseError => {
  if (error instanceof DeadlineExceeded)
    return new RepriseError(
      "timed_out",
      `The work at ${placeKey(at)} takes longer than is waited for. It goes on there: ask again later.`,
      { cause: error },
    );
  if (error instanceof RepriseError) return error;
  throw error;
};
