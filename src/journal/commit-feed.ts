import type { Kind } from "./journaled.ts";

/** What was committed, told to whoever listens; only after the commit. */
export interface Committed<K extends Kind> {
  id: K["id"];
  events: readonly K["event"][];
  before: K["state"] | null;
  after: K["state"];
  derived: K["derived"];
}

export type Listen<K extends Kind> = (committed: Committed<K>) => void;

interface Listener<K extends Kind> {
  listen: Listen<K>;
  onReleased: (why: Error) => void;
}

export class CommitFeed<K extends Kind> {
  readonly #everyone = new Set<Listen<K>>();
  readonly #onReleased = new Set<() => void>();
  readonly #byId = new Map<K["id"], Set<Listener<K>>>();

  publish(committed: Committed<K>): void {
    const mine = [...(this.#byId.get(committed.id) ?? [])];
    for (const listen of [
      ...this.#everyone,
      ...mine.map((each) => each.listen),
    ])
      try {
        listen(committed);
      } catch (error) {
        // It is committed: that one listener failed must not look like a failed commit.
        queueMicrotask(() => {
          throw error;
        });
      }
  }

  /** Returns the function that unsubscribes. */
  onAny(listen: Listen<K>): () => void {
    this.#everyone.add(listen);
    return () => this.#everyone.delete(listen);
  }

  /** Called when nothing of some ids is told here any more. Returns the function that unsubscribes. */
  onReleased(listen: () => void): () => void {
    this.#onReleased.add(listen);
    return () => this.#onReleased.delete(listen);
  }

  /** `onReleased` is called when nothing of this id is told here any more: another server has it, or it was removed. */
  on(
    id: K["id"],
    listen: Listen<K>,
    onReleased: (why: Error) => void = () => undefined,
  ): () => void {
    const listener = { listen, onReleased };
    const listeners = this.#byId.get(id) ?? new Set();
    listeners.add(listener);
    this.#byId.set(id, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byId.get(id) === listeners)
        this.#byId.delete(id);
    };
  }

  /** What somebody listens to. */
  ids(): Iterable<K["id"]> {
    return this.#byId.keys();
  }

  release(ids: ReadonlySet<K["id"]>, why: Error): void {
    for (const id of ids) {
      const listeners = this.#byId.get(id) ?? [];
      this.#byId.delete(id);
      for (const { onReleased } of listeners) onReleased(why);
    }
    for (const listen of this.#onReleased) listen();
  }
}
