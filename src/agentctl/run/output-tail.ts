/** The end of what a program prints, in at most twice the memory of what is kept. */
export class OutputTail {
  /** How much there was in all. */
  bytes = 0;
  readonly #limit: number;
  #buffer = Buffer.alloc(0);
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(piece: Uint8Array): void {
    this.bytes += piece.length;
    const kept = piece.subarray(Math.max(0, piece.length - this.#limit));
    if (this.#length + kept.length > this.#buffer.length)
      this.#makeRoomFor(kept.length);
    this.#buffer.set(kept, this.#length);
    this.#length += kept.length;
  }

  /** What is kept of it. */
  end(): Buffer {
    const from = Math.max(0, this.#length - this.#limit);
    return this.#buffer.subarray(from, this.#length);
  }

  #makeRoomFor(length: number): void {
    const most = 2 * this.#limit;
    const needed = this.#length + length;
    if (needed <= most) {
      const size = Math.max(needed, this.#buffer.length * 2, FIRST);
      const larger = Buffer.alloc(Math.min(most, size));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
      return;
    }
    const kept = this.end();
    this.#buffer.copyWithin(0, this.#length - kept.length, this.#length);
    this.#length = kept.length;
  }
}

const FIRST = 16 * 1024;
