/** What checkpoints need of the vault of each place. */
import type { Checkpoint } from "../../../contract/session/checkpoint.ts";
import type { SessionId } from "../../../contract/base/id.ts";
import { type PlaceRef, placeKey } from "../../../contract/base/place.ts";
import type { NeededByCheckpoint, Store } from "../../ports/store.ts";

/** What one vault must keep. */
export interface Needs {
  trees: Set<string>;
  /** How many of the checkpoints hold a workspace. */
  checkpoints: number;
  /** Of these more may be needed: their journals are damaged. */
  damaged: SessionId[];
}

/**
 * Places that ask at the same time share one reading of the store. Who asks while one is under way waits for the next: the
 * session of a checkpoint that was told of meanwhile may have been read already.
 */
export class NeedsReader {
  readonly #store: Pick<Store, "needed">;
  readonly #without: ReadonlySet<SessionId>;
  #underWay: Promise<unknown> = Promise.resolve();
  #next: Promise<ByPlace> | null = null;

  /** `without` are sessions that count as gone. */
  constructor(
    store: Pick<Store, "needed">,
    without: ReadonlySet<SessionId> = new Set(),
  ) {
    this.#store = store;
    this.#without = without;
  }

  async at(place: PlaceRef): Promise<Needs> {
    this.#next ??= this.#underWay.then(ignore, ignore).then(() => {
      this.#next = null;
      const reading = this.#read();
      this.#underWay = reading;
      return reading;
    });
    return (await this.#next).at(place);
  }

  async #read(): Promise<ByPlace> {
    const found = new ByPlace();
    for await (const each of this.#store.needed()) {
      const { session_id, place, checkpoints, isIncomplete } = each;
      if (this.#without.has(session_id)) continue;
      for (const checkpoint of checkpoints) found.add(checkpoint);
      if (isIncomplete) found.of(place).damaged.push(session_id);
    }
    return found;
  }
}

const ANYWHERE = "";

class ByPlace {
  readonly #needs = new Map<string, Needs>();

  /** Those of which nobody knows the place count everywhere (P8). */
  at(place: PlaceRef): Needs {
    const here = this.of(place);
    const anywhere = this.#needs.get(ANYWHERE);
    if (anywhere === undefined) return here;
    return {
      trees: here.trees.union(anywhere.trees),
      checkpoints: here.checkpoints + anywhere.checkpoints,
      damaged: [...here.damaged, ...anywhere.damaged],
    };
  }

  add(checkpoint: NeededByCheckpoint): void {
    const needs = this.of(checkpoint.place);
    for (const tree of treesOf([checkpoint])) needs.trees.add(tree);
    if (checkpoint.tree !== null) needs.checkpoints += 1;
  }

  of(place: PlaceRef | null): Needs {
    const key = place === null ? ANYWHERE : placeKey(place);
    const known = this.#needs.get(key) ?? {
      trees: new Set(),
      checkpoints: 0,
      damaged: [],
    };
    this.#needs.set(key, known);
    return known;
  }
}

/** What must be kept for these: workspaces, and the agents' own files. */
export const treesOf = (
  checkpoints: Iterable<Pick<Checkpoint, "tree" | "agent_state">>,
): Set<string> => {
  const trees = new Set<string>();
  for (const { tree, agent_state } of checkpoints)
    for (const each of [tree, agent_state]) if (each !== null) trees.add(each);
  return trees;
};

const ignore = (): void => undefined;
