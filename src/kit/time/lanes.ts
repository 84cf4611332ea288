/** Work that is under way: its answer, and when the lane is free again, which may be later. */
export interface Begun<T> {
  answer: Promise<T>;
  settled: Promise<unknown>;
}

/** One thing at a time, in the order of asking. */
export class Lane {
  readonly #onFree: () => void;
  #tail: Promise<void> = Promise.resolve();
  #underWay = 0;

  /** `onFree` is called each time that nothing is left to do. */
  constructor(onFree: () => void = ignore) {
    this.#onFree = onFree;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.begin(() => {
      const answer = work();
      return { answer, settled: answer };
    });
  }

  begin<T>(begin: () => Begun<T>): Promise<T> {
    this.#underWay += 1;
    const begun = this.#tail.then(begin);
    this.#tail = begun
      .then(({ settled }) => settled)
      .then(ignore, ignore)
      .then(() => {
        this.#underWay -= 1;
        if (this.#underWay === 0) this.#onFree();
      });
    return begun.then(({ answer }) => answer);
  }

  /** Resolves when nothing is under way. */
  async drain(): Promise<void> {
    while (this.#underWay > 0) await this.#tail;
  }
}

/** A lane per key; different keys go side by side. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#lane(key).run(work);
  }

  begin<T>(key: string, begin: () => Begun<T>): Promise<T> {
    return this.#lane(key).begin(begin);
  }

  /** Resolves when nothing is under way, or nothing with these keys. */
  async drain(keys?: Iterable<string>): Promise<void> {
    if (keys === undefined)
      while (this.#lanes.size > 0) await this.drain(this.#lanes.keys());
    else
      await Promise.all(
        [...keys].map(async (key) => this.#lanes.get(key)?.drain()),
      );
  }

  #lane(key: string): Lane {
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    const lane = new Lane(() => this.#lanes.delete(key));
    this.#lanes.set(key, lane);
    return lane;
  }
}

const ignore = (): void => undefined;
