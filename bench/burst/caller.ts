import { setTimeout as delay } from "node:timers/promises";
import { timed, type Span } from "../clock.ts";

const EVERY_MS = 20;

/** Asks the same thing again and again, and remembers how long each answer took. */
export class Caller {
  readonly #spans: Span[] = [];
  readonly #asking: Promise<void>;
  #stopped = false;

  constructor(ask: () => Promise<unknown>) {
    this.#asking = this.#run(ask);
  }

  async stop(): Promise<Span[]> {
    this.#stopped = true;
    await this.#asking;
    return this.#spans;
  }

  async #run(ask: () => Promise<unknown>): Promise<void> {
    while (!this.#stopped) {
      this.#spans.push(await timed(ask));
      await delay(EVERY_MS);
    }
  }
}
