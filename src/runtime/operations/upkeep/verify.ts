/** Reading everything that is stored, and saying which checkpoints lost something. */
import type {
  BrokenCheckpoint,
  Verification,
} from "../../../contract/checkpoint-route.ts";
import { LOCAL } from "../../../contract/place.ts";
import { RepriseError } from "../../../contract/problem.ts";
import { DeadlineExceeded, within } from "../../../kit/time/deadline.ts";
import type { Store } from "../../ports/store.ts";
import { askPlace } from "../ask-place.ts";
import { treesOf } from "./disk.ts";
import type { OperationDeps } from "../operation-deps.ts";

/** A result that nobody came back for is told so long, and then everything is read again. */
const KEPT_MS = 10 * 60_000;

interface Run {
  dry_run: boolean;
  verification: Promise<Verification>;
  endedAt: number | null;
}

/** It may take hours, and no request stays open so long: whoever waited in vain asks again, and is told the result. */
export class Verifications {
  readonly #house: OperationDeps;
  #run: Run | null = null;

  constructor(deps: OperationDeps) {
    this.#house = deps;
  }

  async ask(dry_run: boolean): Promise<Verification> {
    const { resumeDeadlineMs: ms } = this.#house;
    const run = this.#underWay(dry_run) ?? this.#begin(dry_run);
    try {
      return await within("a verification", ms, run.verification);
    } catch (error) {
      throw error instanceof DeadlineExceeded ? takesLonger(ms) : error;
    } finally {
      // Told once.
      if (run.endedAt !== null && this.#run === run) this.#run = null;
    }
  }

  #underWay(dry_run: boolean): Run | null {
    const run = this.#run;
    if (run === null || run.dry_run !== dry_run) return null;
    const isOld = run.endedAt !== null && run.endedAt < this.#now() - KEPT_MS;
    return isOld ? null : run;
  }

  /** One of the other kind that is under way comes to its end first. */
  #begin(dry_run: boolean): Run {
    const before = this.#run?.verification.catch(ignore) ?? Promise.resolve();
    const run: Run = {
      dry_run,
      verification: before
        .then(() => verify(this.#house, dry_run))
        .finally(() => {
          run.endedAt = this.#now();
        }),
      endedAt: null,
    };
    // Whoever waits for it is told of a failure.
    run.verification.catch(ignore);
    this.#run = run;
    return run;
  }

  #now(): number {
    return this.#house.clock.now().getTime();
  }
}

const ignore = (): void => undefined;

const verify = async (
  { places, captures, store }: OperationDeps,
  dry_run: boolean,
): Promise<Verification> => {
  const place = await places.obtain(LOCAL);
  // What was captured and not told yet is no checkpoint yet.
  await captures.drain();
  const trees = new Set<string>();
  let checked = 0;
  for await (const { checkpoints } of store.needed()) {
    for (const tree of treesOf(checkpoints)) trees.add(tree);
    checked += checkpoints.filter(({ tree }) => tree !== null).length;
  }
  const { broken, ...rest } = await askPlace(
    place.workspaces.verify({ trees: [...trees], dry_run }),
  );
  const lost = new Map(broken.map(({ tree, ...more }) => [tree, more]));
  return {
    ...rest,
    checkpoints: checked,
    broken: await affectedBy(lost, store),
  };
};

type Affected<T> = T & Omit<BrokenCheckpoint, "lost" | "paths">;

/** The checkpoints that one of these trees belongs to, with what is known of it. */
export const affectedBy = async <T extends object>(
  trees: ReadonlyMap<string, T>,
  store: Pick<Store, "needed">,
): Promise<Affected<T>[]> => {
  const affected: Affected<T>[] = [];
  if (trees.size === 0) return affected;
  for await (const { session_id, checkpoints } of store.needed())
    for (const { id, turn, kind, tree, agent_state } of checkpoints) {
      const parts = [
        { of: "workspace", tree },
        { of: "agent_state", tree: agent_state },
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
