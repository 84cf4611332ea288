/** Something that is asked for again and again: one request at a time, and one more where it was asked for meanwhile. */
export class Latest {
  readonly #ask: () => Promise<void>;
  #running: Promise<void> | null = null;
  #isDue = false;

  constructor(ask: () => Promise<void>) {
    this.#ask = ask;
  }

  /** Settles when an answer is there that was asked for after this call. */
  async refresh(): Promise<void> {
    if (this.#running !== null) {
      this.#isDue = true;
      return this.#running;
    }
    this.#running = this.#loop();
    try {
      await this.#running;
    } finally {
      this.#running = null;
    }
  }

  async #loop(): Promise<void> {
    do {
      this.#isDue = false;
      await this.#ask();
    } while (this.#isDue);
  }
}
