import type { Readable } from "./readable.ts";

/** A value that is set, and its readers. */
export class Value<T> implements Readable<T> {
  #value: T;
  readonly #readers = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get(): T {
    return this.#value;
  }

  /** Nobody is told when it is the same object as before. */
  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    // A reader may leave while it is told: a set allows that.
    for (const changed of this.#readers) changed();
  }

  subscribe(changed: () => void): () => void {
    // Wrapped, so that a function that subscribes twice is told twice.
    const reader = (): void => changed();
    this.#readers.add(reader);
    return () => {
      this.#readers.delete(reader);
    };
  }
}

/** What follows from other readables: computed when it is read, and only when one of them has changed. */
export const derived = <T>(
  sources: readonly Readable<unknown>[],
  compute: () => T,
): Readable<T> => {
  let seen: unknown[] | null = null;
  let value: T;
  const get = (): T => {
    const now = sources.map((source) => source.get());
    if (seen === null || now.some((each, i) => !Object.is(each, seen?.[i]))) {
      value = compute();
      seen = now;
    }
    return value;
  };
  return {
    get,
    subscribe: (changed) => {
      const ends = sources.map((source) => source.subscribe(changed));
      return () => {
        for (const end of ends) end();
      };
    },
  };
};
