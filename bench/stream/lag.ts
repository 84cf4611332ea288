/** From the moment a chunk was written, which the chunk itself says, until its bytes are here. */
export class LagMeter {
  readonly lags: number[] = [];
  /** Resolves when so many chunks have come. */
  readonly complete: Promise<void>;
  readonly #chunks: number;
  #done: () => void = () => undefined;
  #rest = "";

  constructor(chunks: number) {
    this.#chunks = chunks;
    this.complete = new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  /** Takes bytes as they arrive; a stamp may be cut in two. */
  readonly take = (bytes: Buffer): void => {
    const now = process.hrtime.bigint();
    const text = this.#rest + bytes.toString("latin1");
    for (const [, stamp = ""] of text.matchAll(/@(\d+);/g))
      this.lags.push(Number(now - BigInt(stamp)) / 1e6);
    const cut = text.lastIndexOf("@");
    this.#rest = cut === -1 || text.includes(";", cut) ? "" : text.slice(cut);
    if (this.lags.length >= this.#chunks) this.#done();
  };
}
