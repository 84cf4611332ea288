import { RepriseError } from "../../contract/problem.ts";
import type { Place } from "../../runtime/ports.ts";

export interface Reached {
  place: Place;
  /** Closes the link, not what is at its other end. */
  close(): Promise<void>;
}

/** One connection for all who ask. After it is lost, or could not be made, the next who asks makes another. */
export class SharedPlace {
  readonly #reach: () => Promise<Reached>;
  #reached: Promise<Reached> | null = null;
  #closed = false;

  constructor(reach: () => Promise<Reached>) {
    this.#reach = reach;
  }

  async obtain(): Promise<Place> {
    if (this.#closed)
      throw new RepriseError("agentctl_unavailable", "The server is closing");
    this.#reached ??= this.#reaching();
    return (await this.#reached).place;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const reached = await this.#reached?.catch(() => null);
    await reached?.close();
  }

  #reaching(): Promise<Reached> {
    const reaching = this.#reach();
    const forget = (): void => {
      if (this.#reached === reaching) this.#reached = null;
    };
    reaching.then(({ place }) => place.closed).then(forget, forget);
    return reaching;
  }
}
