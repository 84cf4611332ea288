import assert from "node:assert/strict";
import type { Event } from "../../src/contract/event/event.ts";
import { within } from "../../src/kit/time/deadline.ts";
import type { World } from "./world.ts";
import { patience } from "../../src/kit/fixtures/patience.ts";

const PATIENCE_MS = patience(60_000);

/** Follows a session over all servers, as a client does that comes back with its cursor. What it saw it keeps. */
export class Watcher {
  readonly seen: Event[] = [];
  readonly #leaving = new AbortController();
  #broken: unknown = null;
  #wake: () => void = () => undefined;

  constructor(world: World, session: string) {
    this.#follow(world, session).catch((error: unknown) => {
      this.#broken = error;
      this.#wake();
    });
  }

  /** The first event after a cursor that fits, now or later. */
  async until(fits: (event: Event) => boolean, after = 0): Promise<Event> {
    const wait = async (): Promise<Event> => {
      for (;;) {
        const found = this.seen.slice(after).find(fits);
        if (found !== undefined) return found;
        if (this.#broken !== null)
          throw new Error("the stream broke", { cause: this.#broken });
        await new Promise<void>((wake) => (this.#wake = wake));
      }
    };
    try {
      return await within("what is waited for", PATIENCE_MS, wait());
    } catch (cause) {
      const types = this.seen.slice(-50).map(({ type }) => type);
      assert.fail(
        `${String(cause)}; last seen of ${this.seen.length}: ${types.join(" ")}`,
      );
    }
  }

  /** Follows no more. */
  close(): void {
    this.#leaving.abort();
  }

  async #follow(world: World, session: string): Promise<void> {
    const over = AbortSignal.any([world.closing, this.#leaving.signal]);
    while (!over.aborted) {
      const { client, gone } = await world.server();
      const signal = AbortSignal.any([over, gone]);
      const after = this.seen.length;
      for await (const event of client.follow(session, { after, signal })) {
        this.seen.push(event);
        this.#wake();
      }
    }
  }
}
