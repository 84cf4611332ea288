/** The machine's monotonic clock, in milliseconds: the same in every process. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

interface Heard {
  written: number;
  lag: number;
}

/** From the moment a chunk was written, which the chunk itself says, until its bytes are here. */
export class LagMeter {
  /** Resolves when the first chunk has come. */
  readonly begun: Promise<void>;
  /** Resolves when so many chunks have come. */
  readonly complete: Promise<void>;
  readonly #chunks: number;
  readonly #heard: Heard[] = [];
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

  /** Of what was written between two moments. */
  lags(from = -Infinity, to = Infinity): number[] {
    return this.#heard
      .filter(({ written }) => from <= written && written <= to)
      .map(({ lag }) => lag);
  }

  /** Takes bytes as they arrive; a stamp may be cut in two. */
  readonly take = (bytes: Buffer): void => {
    const here = now();
    const text = this.#rest + bytes.toString("latin1");
    for (const [, stamp] of text.matchAll(/@(\d+);/g)) {
      const written = Number(stamp) / 1e6;
      this.#heard.push({ written, lag: here - written });
    }
    const cut = text.lastIndexOf("@");
    this.#rest = cut === -1 || text.includes(";", cut) ? "" : text.slice(cut);
    if (this.#heard.length > 0) this.#begin();
    if (this.#heard.length >= this.#chunks) this.#done();
  };
}
