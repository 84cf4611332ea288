/** A timer's delay is a signed number of 32 bits: a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Things to do after a while, all of which can be called off together. */
export class Later {
  readonly #timers = new Set<NodeJS.Timeout>();
  #closed = false;

  after(ms: number, work: () => void): void {
    if (this.#closed) return;
    const step = Math.min(ms, LONGEST_MS);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (step < ms) this.after(ms - step, work);
      else work();
    }, step);
    this.#timers.add(timer);
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
