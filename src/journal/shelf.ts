import type { Journaled, Kind } from "./journaled.ts";

/** States at hand: active ones stay, of the others the least recently used go, so what is at rest costs nothing. */
export class Shelf<K extends Kind> {
  readonly #states = new Map<K["id"], K["state"]>();
  readonly #doubted = new Set<K["id"]>();
  readonly #kind: Pick<Journaled<K>, "idOf" | "isActive">;
  readonly #resting: number;

  constructor(kind: Pick<Journaled<K>, "idOf" | "isActive">, resting = 256) {
    this.#kind = kind;
    this.#resting = resting;
  }

  get(id: K["id"]): K["state"] | undefined {
    return this.#doubted.has(id) ? undefined : this.#states.get(id);
  }

  put(state: K["state"]): void {
    const id = this.#kind.idOf(state);
    this.#doubted.delete(id);
    this.#states.delete(id);
    this.#states.set(id, state);
    if (this.#states.size > this.#resting) this.#clear();
  }

  /** Whether this is still how it stands is not known: it has to be read again. It is not forgotten over it. */
  doubt(id: K["id"]): void {
    if (this.#states.has(id)) this.#doubted.add(id);
  }

  /** What is doubted, as it was when it was last known. */
  doubted(id: K["id"]): K["state"] | undefined {
    return this.#doubted.has(id) ? this.#states.get(id) : undefined;
  }

  drop(id: K["id"]): void {
    this.#states.delete(id);
    this.#doubted.delete(id);
  }

  /** As they were when last known. */
  values(): Iterable<K["state"]> {
    return this.#states.values();
  }

  ids(): Iterable<K["id"]> {
    return this.#states.keys();
  }

  #clear(): void {
    let surplus = this.#states.size - this.#resting;
    for (const [id, state] of this.#states) {
      if (surplus <= 0) return;
      if (this.#kind.isActive(state)) continue;
      this.drop(id);
      surplus -= 1;
    }
  }
}
