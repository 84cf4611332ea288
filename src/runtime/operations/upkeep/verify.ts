/** Reading everything that is stored, and saying which checkpoints lost something. */
import type {
  BrokenCheckpoint,
  Verification,
} from "../../../contract/api/checkpoint-route.ts";
import {
  isSamePlace,
  type PlaceRef,
  placeKey,
} from "../../../contract/base/place.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";
import { DeadlineExceeded, within } from "../../../kit/time/deadline.ts";
import type { Store } from "../../ports/store.ts";
import { askPlace } from "../ask-place.ts";
import type { OperationDeps } from "../operation-deps.ts";
import {
  type AtPlace,
  atEach,
  placesInUse,
  reached,
  resultsOf,
  told,
} from "./at-places.ts";
import { NeedsReader } from "./needs.ts";

/** A result that nobody came back for is told so long, and then everything is read again. */
const KEPT_MS = 10 * 60_000;

interface Run {
  dry_run: boolean;
  verified: Promise<Verified>;
  endedAt: number | null;
}

type Verified = Omit<Verification, "places">;

/**
 * It may take hours, and no request stays open so long: whoever waited in vain asks again, and is told the result. Each
 * place is read by itself. What one has shown is kept until the others have ended too.
 */
export class Verifications {
  readonly #deps: OperationDeps;
  /** By the key of the place. */
  readonly #runs = new Map<string, Run>();

  readonly #reader: NeedsReader;

  constructor(deps: OperationDeps) {
    this.#deps = deps;
    this.#reader = new NeedsReader(deps.store);
  }

  async ask(dry_run: boolean): Promise<Verification> {
    const { resumeDeadlineMs: ms } = this.#deps;
    const places = await placesInUse(this.#deps);
    const runs = new Map<string, Run>();
    const all = await atEach(this.#deps, places, async (at) => {
      const run = this.#underWay(at, dry_run) ?? this.#begin(at, dry_run);
      runs.set(placeKey(at), run);
      try {
        return await within("a verification", ms, run.verified);
      } catch (error) {
        throw error instanceof DeadlineExceeded ? takesLonger(ms) : error;
      }
    });
    this.#forgetTold(runs);
    return sumOf(all);
  }

  /** All of it is told once. */
  #forgetTold(runs: ReadonlyMap<string, Run>): void {
    if ([...runs.values()].some(({ endedAt }) => endedAt === null)) return;
    for (const [key, run] of runs)
      if (this.#runs.get(key) === run) this.#runs.delete(key);
  }

  #underWay(at: PlaceRef, dry_run: boolean): Run | null {
    const run = this.#runs.get(placeKey(at));
    if (run === undefined || run.dry_run !== dry_run) return null;
    const isOld = run.endedAt !== null && run.endedAt < this.#now() - KEPT_MS;
    return isOld ? null : run;
  }

  /** One of the other kind that is under way comes to its end first. */
  #begin(at: PlaceRef, dry_run: boolean): Run {
    const earlier = this.#runs.get(placeKey(at))?.verified;
    const run: Run = {
      dry_run,
      verified: (earlier?.then(ignore, ignore) ?? Promise.resolve())
        .then(() => verify(this.#deps, this.#reader, at, dry_run))
        .finally(() => {
          run.endedAt = this.#now();
        }),
      endedAt: null,
    };
    // Whoever waits for it is told of a failure.
    run.verified.catch(ignore);
    this.#runs.set(placeKey(at), run);
    return run;
  }

  #now(): number {
    return this.#deps.clock.now().getTime();
  }
}

const ignore = (): void => undefined;

const verify = async (
  deps: OperationDeps,
  reader: NeedsReader,
  at: PlaceRef,
  dry_run: boolean,
): Promise<Verified> => {
  const { captures, store } = deps;
  const place = await reached(deps, at);
  // What was captured and not told yet is no checkpoint yet.
  await captures.drain(at);
  const { trees, checkpoints } = await reader.at(at);
  const { broken, ...rest } = await askPlace(
    place.workspaces.verify({ trees: [...trees], dry_run }),
  );
  const lost = new Map(broken.map(({ tree, ...more }) => [tree, more]));
  return { ...rest, checkpoints, broken: await affectedBy(lost, at, store) };
};

const sumOf = (all: readonly AtPlace<Verified>[]): Verification => {
  const results = resultsOf(all);
  const sum = (name: Exclude<keyof Verified, "broken">): number =>
    results.reduce((total, each) => total + each[name], 0);
  return {
    packs: sum("packs"),
    bytes: sum("bytes"),
    objects: sum("objects"),
    damaged: sum("damaged"),
    checkpoints: sum("checkpoints"),
    broken: results.flatMap(({ broken }) => broken),
    places: all.map((each) => told(each, (verified) => verified)),
  };
};

type Affected<T> = T & Omit<BrokenCheckpoint, "lost" | "paths">;

/** The checkpoints at a place that one of these trees belongs to, with what is known of it. */
export const affectedBy = async <T extends object>(
  trees: ReadonlyMap<string, T>,
  at: PlaceRef,
  store: Pick<Store, "needed">,
): Promise<Affected<T>[]> => {
  const affected: Affected<T>[] = [];
  if (trees.size === 0) return affected;
  for await (const { session_id, checkpoints } of store.needed())
    for (const { id, turn, kind, place, ...held } of checkpoints) {
      if (place !== null && !isSamePlace(place, at)) continue;
      const parts = [
        { of: "workspace", tree: held.tree },
        { of: "agent_state", tree: held.agent_state },
      ] as const;
      for (const { of, tree } of parts) {
        const known = tree === null ? undefined : trees.get(tree);
        const named = { session_id, turn, checkpoint: id, kind, of };
        if (known !== undefined) affected.push({ ...named, ...known });
      }
    }
  return affected;
};

const takesLonger = (ms: number): RepriseError =>
  new RepriseError(
    "timed_out",
    `Reading everything that is stored takes longer than ${ms / 1000} s. It goes on: ask again, and you are told when it is over.`,
  );
