/** Keeps the last bytes of what somebody says. */
export class LastBytes {
  readonly #max: number;
  #kept = Buffer.alloc(0);

  constructor(max: number) {
    this.#max = max;
  }

  add(chunk: Buffer): void {
    this.#kept = Buffer.concat([this.#kept, chunk]).subarray(-this.#max);
  }

  text(): string {
    return this.#kept.toString("utf8");
  }
}
