import { RepriseError } from "../../contract/problem.ts";
import type { Place } from "../../runtime/ports.ts";

export interface Reached {
  place: Place;
  isOpen(): boolean;
  /** Closes the link, not what is at its other end. */
  close(): Promise<void>;
}

/** One connection for all who ask. Once it is lost, or could not be made, the next who asks makes another. */
export class SharedPlace {
  readonly #reach: (signal: AbortSignal) => Promise<Reached>;
  readonly #closing = new AbortController();
  #reached: Reached | null = null;
  #reaching: Promise<Reached> | null = null;

  constructor(reach: (signal: AbortSignal) => Promise<Reached>) {
    this.#reach = reach;
  }

  async obtain(): Promise<Place> {
    if (this.#closing.signal.aborted)
      throw new RepriseError("agentctl_unavailable", "The server is closing");
    if (this.#reached?.isOpen()) return this.#reached.place;
    this.#reaching ??= this.#reachAnew();
    return (await this.#reaching).place;
  }

  isReached(): boolean {
    return this.#reached?.isOpen() === true;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#reaching?.catch(() => null);
    await this.#reached?.close();
  }

  async #reachAnew(): Promise<Reached> {
    try {
      this.#reached = await this.#reach(this.#closing.signal);
      return this.#reached;
    } finally {
      this.#reaching = null;
    }
  }
}
