/**
 * Which release the server is of, if it is another than the one that the page came from. The page takes its server's word for the shape
 * of everything (PAG-220), so somebody should load it again.
 */
import type { Client } from "../../../src/client/client.ts";
import type { Live } from "./live.ts";
import type { Readable } from "./readable.ts";
import { Value } from "./value.ts";

export class OtherRelease implements Readable<string | null> {
  readonly #client: Pick<Client, "health">;
  readonly #own: string;
  readonly #value = new Value<string | null>(null);
  readonly #unsubscribe: () => void;

  constructor(
    live: Pick<Live, "state" | "subscribe">,
    client: Pick<Client, "health">,
    own: string,
  ) {
    this.#client = client;
    this.#own = own;
    // A server that was replaced was away meanwhile.
    this.#unsubscribe = live.subscribe(() => {
      if (live.state.kind === "back") void this.#ask();
    });
  }

  get(): string | null {
    return this.#value.get();
  }

  subscribe(changed: () => void): () => void {
    return this.#value.subscribe(changed);
  }

  close(): void {
    this.#unsubscribe();
  }

  async #ask(): Promise<void> {
    // Where nobody answers, the connection is lost again, and it is asked when that is back.
    const health = await this.#client.health().catch(() => null);
    if (health === null) return;
    this.#value.set(health.version === this.#own ? null : health.version);
  }
}
