/** Chance that comes out the same each time: everything in a workspace follows from a seed. */
export class Chance {
  #state: number;

  constructor(seed: string) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < seed.length; i += 1)
      hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
    // Zero is the one state that xorshift never leaves.
    this.#state = hash | 0 || 1;
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return this.#next() % end;
  }

  /** The same, where small numbers are the likely ones, as words of a language are. */
  fewBelow(end: number): number {
    const share = this.#next() / 2 ** 32;
    return Math.floor(share * share * share * end);
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0];
  }

  /** True in so many of a hundred cases. */
  percent(share: number): boolean {
    return this.below(100) < share;
  }

  /** Sizes as files have them: half are near `middle`, few are many times that. */
  size(middle: number, most: number): number {
    const spread =
      (this.below(1000) + this.below(1000) + this.below(1000)) / 1500 - 1;
    return Math.min(most, Math.ceil(middle * Math.exp(spread * 5.5)));
  }

  /** Bytes that nothing compresses. */
  bytes(length: number): Buffer {
    const words = new Uint32Array(Math.ceil(length / 4));
    for (let i = 0; i < words.length; i += 1) words[i] = this.#next();
    return Buffer.from(words.buffer, 0, length);
  }

  #next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return x >>> 0;
  }
}
