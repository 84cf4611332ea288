/** For how long things have been as they are, by a clock that nobody can set. */
export class Unchanged<Key> {
  readonly #now: () => number;
  #seen = new Map<Key, { mark: string; since: number }>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Looks at all there are: what is not among them is forgotten. Gives those that have had the same mark for so many
   * milliseconds, as far as these looks have seen it.
   */
  since<Thing>(
    ms: number,
    things: Iterable<Thing>,
    describe: (thing: Thing) => { key: Key; mark: string },
  ): Thing[] {
    const now = this.#now();
    const before = this.#seen;
    this.#seen = new Map();
    const found: Thing[] = [];
    for (const thing of things) {
      const { key, mark } = describe(thing);
      const known = before.get(key);
      const since = known?.mark === mark ? known.since : now;
      this.#seen.set(key, { mark, since });
      if (now - since >= ms) found.push(thing);
    }
    return found;
  }
}
