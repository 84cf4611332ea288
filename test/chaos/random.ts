/** Chance that can be had again: the same seed and name give the same choices. */
export class Chance {
  #state: number;

  constructor(seed: number, name = "") {
    // FNV-1a, so that every actor of a run has a stream of its own.
    let state = seed ^ 0x811c9dc5;
    for (const character of name)
      state = Math.imul(state ^ character.charCodeAt(0), 0x01000193);
    this.#state = state;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  isLucky(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly [T, ...T[]]): T;
  pick<T>(from: readonly T[]): T | undefined;
  pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.next() * from.length)];
  }

  /** One of the names, as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    const sum = entries.reduce((total, [, weight]) => total + weight, 0);
    let left = this.next() * sum;
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return entries[entries.length - 1]![0];
  }
}
