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

export interface Reaching {
  /** By which term of the place the connection is made. */
  term: number;
  signal: AbortSignal;
  /** False while all who wait are only looking: then nothing is to be started, but `NobodyThere` thrown. */
  isNeeded: () => boolean;
}

type Reach = (how: Reaching) => Promise<Reached>;

/**
 * One connection for all who ask. Once it is lost, or could not be made, the next who asks makes another. So does who asks
 * with another term: the place was claimed anew, and agentctl has to be told.
 */
export class SharedPlace {
  readonly #reach: Reach;
  readonly #closing = new AbortController();
  #reached: { term: number; connection: Reached } | null = null;
  #reaching: { term: number; connection: Promise<Reached> } | null = null;
  #isNeeded = false;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  async obtain(term: number): Promise<Place> {
    for (;;)
      try {
        const reached = this.#join(term);
        this.#isNeeded = true;
        return (await reached).place;
      } catch (error) {
        // Those who only looked had given up when we came.
        if (!(error instanceof NobodyThere)) throw error;
      }
  }

  /** Null when nobody is there. */
  async find(term: number): Promise<Place | null> {
    try {
      return (await this.#join(term)).place;
    } catch (error) {
      if (error instanceof NobodyThere) return null;
      throw error;
    }
  }

  isReached(): boolean {
    return this.#reached?.connection.isOpen() === true;
  }

  /** Closes the connection that there is; the next who asks makes another. */
  async leave(): Promise<void> {
    const reached = this.#reached;
    this.#reached = null;
    await reached?.connection.close();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#reaching?.connection.catch(() => null);
    await this.#reached?.connection.close();
  }

  #join(term: number): Promise<Reached> {
    if (this.#closing.signal.aborted)
      return Promise.reject(unavailable("The server is closing"));
    const { connection } = this.#reached ?? {};
    if (connection?.isOpen() && this.#reached?.term === term)
      return Promise.resolve(connection);
    if (this.#reaching?.term === term) return this.#reaching.connection;
    const reaching = {
      term,
      connection: this.#reachAnew(term, this.#reaching?.connection ?? null),
    };
    this.#reaching = reaching;
    const over = (): void => {
      if (this.#reaching === reaching) this.#reaching = null;
    };
    void reaching.connection.then(over, over);
    return reaching.connection;
  }

  async #reachAnew(
    term: number,
    before: Promise<Reached> | null,
  ): Promise<Reached> {
    this.#isNeeded = false;
    await before?.catch(() => null);
    await this.leave();
    const connection = await this.#reach({
      term,
      signal: this.#closing.signal,
      isNeeded: () => this.#isNeeded,
    });
    this.#reached = { term, connection };
    return connection;
  }
}
