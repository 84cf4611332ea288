import type { Place } from "../../runtime/ports/executors.ts";
import { unavailable } from "./unavailable.ts";

export interface Reached {
  place: Place;
  isOpen(): boolean;
  /** Closes the link, not what is at its other end. */
  close(): Promise<void>;
}

/** Nobody is there, and nobody who waits needs anybody to be started. */
export class NobodyThere extends Error {}

/** `isNeeded` is false while all who wait are only looking: then nothing is to be started, but `NobodyThere` thrown. */
type Reach = (signal: AbortSignal, isNeeded: () => boolean) => Promise<Reached>;

/** One connection for all who ask. Once it is lost, or could not be made, the next who asks makes another. */
export class SharedPlace {
  readonly #reach: Reach;
  readonly #closing = new AbortController();
  #reached: Reached | null = null;
  #reaching: Promise<Reached> | null = null;
  #isNeeded = false;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  async obtain(): Promise<Place> {
    for (;;)
      try {
        const reached = this.#join();
        this.#isNeeded = true;
        return (await reached).place;
      } catch (error) {
        // Those who only looked had given up when we came.
        if (!(error instanceof NobodyThere)) throw error;
      }
  }

  /** Null when nobody is there. */
  async find(): Promise<Place | null> {
    try {
      return (await this.#join()).place;
    } catch (error) {
      if (error instanceof NobodyThere) return null;
      throw error;
    }
  }

  isReached(): boolean {
    return this.#reached?.isOpen() === true;
  }

  /** Closes the connection that there is; the next who asks makes another. */
  async leave(): Promise<void> {
    const reached = this.#reached;
    this.#reached = null;
    await reached?.close();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#reaching?.catch(() => null);
    await this.#reached?.close();
  }

  async #join(): Promise<Reached> {
    if (this.#closing.signal.aborted)
      throw unavailable("The server is closing");
    if (this.#reached?.isOpen()) return this.#reached;
    return (this.#reaching ??= this.#reachAnew());
  }

  async #reachAnew(): Promise<Reached> {
    this.#isNeeded = false;
    try {
      this.#reached = await this.#reach(
        this.#closing.signal,
        () => this.#isNeeded,
      );
      return this.#reached;
    } finally {
      this.#reaching = null;
    }
  }
}
