import { now, type Span } from "../clock.ts";

/** From the moment a chunk was written, which the chunk itself says, until its bytes are here. */
export class LagMeter {
  /** Resolves when the first chunk has come. */
  readonly begun: Promise<void>;
  /** Resolves when so many chunks have come. */
  readonly complete: Promise<void>;
  readonly #chunks: number;
  readonly #ways: Span[] = [];
  #begin: () => void = () => undefined;
  #done: () => void = () => undefined;
  #rest = "";

  constructor(chunks: number) {
    this.#chunks = chunks;
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
    this.complete = new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  /** When each chunk was on its way, of those that were written between two moments. */
  ways(from = -Infinity, to = Infinity): Span[] {
    return this.#ways.filter((way) => from <= way.from && way.from <= to);
  }

  /** Takes bytes as they arrive; a stamp may be cut in two. */
  readonly take = (bytes: Buffer): void => {
    const here = now();
    const text = this.#rest + bytes.toString("latin1");
    for (const [, stamp] of text.matchAll(/@(\d+);/g))
      this.#ways.push({ from: Number(stamp) / 1e6, to: here });
    const cut = text.lastIndexOf("@");
    this.#rest = cut === -1 || text.includes(";", cut) ? "" : text.slice(cut);
    if (this.#ways.length > 0) this.#begin();
    if (this.#ways.length >= this.#chunks) this.#done();
  };
}
