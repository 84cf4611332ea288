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
  readonly #reach: () => Promise<Reached>;
  #reached: Reached | null = null;
  #reaching: Promise<Reached> | null = null;
  #closed = false;

  constructor(reach: () => Promise<Reached>) {
    this.#reach = reach;
  }

  async obtain(): Promise<Place> {
    if (this.#closed)
      throw new RepriseError("agentctl_unavailable", "The server is closing");
    if (this.#reached?.isOpen()) return this.#reached.place;
    this.#reaching ??= this.#reachAnew();
    return (await this.#reaching).place;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#reaching?.catch(() => null);
    await this.#reached?.close();
  }

  async #reachAnew(): Promise<Reached> {
    try {
      this.#reached = await this.#reach();
      return this.#reached;
    } finally {
      this.#reaching = null;
    }
  }
}
