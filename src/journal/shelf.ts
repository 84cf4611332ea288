import type { Journaled, Kind } from "./journaled.ts";

/** States at hand: active ones stay, of those at rest the least recently changed go, so what is at rest costs nothing. */
export class Shelf<K extends Kind> {
  readonly #states = new Map<K["id"], K["state"]>();
  readonly #doubted = new Set<K["id"]>();
  /** Those that may go, the least recently changed first. */
  readonly #resting = new Set<K["id"]>();
  readonly #kind: Pick<Journaled<K>, "idOf" | "isActive">;
  readonly #maxResting: number;

  constructor(kind: Pick<Journaled<K>, "idOf" | "isActive">, maxResting = 256) {
    this.#kind = kind;
    this.#maxResting = maxResting;
  }

  get(id: K["id"]): K["state"] | undefined {
    return this.#doubted.has(id) ? undefined : this.#states.get(id);
  }

  put(state: K["state"]): void {
    const id = this.#kind.idOf(state);
    this.drop(id);
    this.#states.set(id, state);
    if (this.#kind.isActive(state)) return;
    this.#resting.add(id);
    const [oldest] = this.#resting;
    if (this.#resting.size > this.#maxResting && oldest !== undefined)
      this.drop(oldest);
  }

  /** The outcome of a commit is not known: the state is read again before use. Until then the last one known stays. */
  doubt(id: K["id"]): void {
    if (!this.#states.has(id)) return;
    this.#doubted.add(id);
    this.#resting.delete(id);
  }

  /** What is doubted, as it was when it was last known. */
  doubted(id: K["id"]): K["state"] | undefined {
    return this.#doubted.has(id) ? this.#states.get(id) : undefined;
  }

  drop(id: K["id"]): void {
    this.#states.delete(id);
    this.#doubted.delete(id);
    this.#resting.delete(id);
  }

  /** As they were when last known. */
  values(): Iterable<K["state"]> {
    return this.#states.values();
  }

  ids(): Iterable<K["id"]> {
    return this.#states.keys();
  }
}
