import assert from "node:assert/strict";
import type { Event } from "../../src/contract/event.ts";
import { within } from "../../src/kit/deadline.ts";
import type { World } from "./world.ts";

const PATIENCE_MS = 60_000;

/** Follows a session over all servers, as a client does that comes back with its cursor. What it saw it keeps. */
export class Watcher {
  readonly seen: Event[] = [];
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
      const types = this.seen.map(({ type }) => type).join(" ");
      assert.fail(`${String(cause)}; seen: ${types}`);
    }
  }

  async #follow(world: World, session: string): Promise<void> {
    while (!world.closing.aborted) {
      const { client, gone } = await world.server();
      const signal = AbortSignal.any([world.closing, gone]);
      const after = this.seen.length;
      for await (const event of client.follow(session, { after, signal })) {
        this.seen.push(event);
        this.#wake();
      }
    }
  }
}
