/** Items for one reader, who may be slower than they come. Ended by the reader, by `end` or by `fail`. */
export class Queue<T> implements AsyncIterableIterator<T, void, undefined> {
  readonly #left: () => void;
  /** Results that nobody has asked for yet, and how many of them were given: taking from the front of a long array is slow. */
  #ready: IteratorResult<T, void>[] = [];
  #given = 0;
  #waiting: {
    resolve(result: IteratorResult<T, void>): void;
    reject(error: unknown): void;
  }[] = [];
  #ending: { error: unknown } | "ended" | null = null;

  /** `left` is called once, when it is over for whatever reason. */
  constructor(left: () => void) {
    this.#left = left;
  }

  push(value: T): void {
    if (this.#ending !== null) return;
    const result = { done: false, value } as const;
    const reader = this.#waiting.shift();
    if (reader === undefined) this.#ready.push(result);
    else reader.resolve(result);
  }

  /** What was pushed before can still be read. */
  end(): void {
    if (!this.#close("ended")) return;
    for (const reader of this.#waiting.splice(0)) reader.resolve(over);
  }

  fail(error: unknown): void {
    if (!this.#close({ error })) return;
    const [first, ...others] = this.#waiting.splice(0);
    if (first === undefined) return;
    this.#ending = "ended";
    first.reject(error);
    for (const reader of others) reader.resolve(over);
  }

  #close(ending: { error: unknown } | "ended"): boolean {
    if (this.#ending !== null) return false;
    this.#ending = ending;
    this.#left();
    return true;
  }

  async next(): Promise<IteratorResult<T, void>> {
    const result = this.#ready[this.#given];
    if (result !== undefined) {
      this.#given += 1;
      if (this.#given === this.#ready.length) this.#clear();
      return result;
    }
    const ending = this.#ending;
    if (ending === null)
      return new Promise((resolve, reject) => {
        this.#waiting.push({ resolve, reject });
      });
    this.#ending = "ended";
    if (ending !== "ended") throw ending.error;
    return over;
  }

  /** The reader leaves: nothing more is kept for it. */
  async return(): Promise<IteratorResult<T, void>> {
    this.end();
    this.#clear();
    return over;
  }

  #clear(): void {
    this.#ready = [];
    this.#given = 0;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const over = { done: true, value: undefined } as const;
