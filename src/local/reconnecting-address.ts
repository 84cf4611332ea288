/**
 * An address that outlives servers: for programs that stay when the server goes, as an editor's agent does. Every request
 * finds the server anew, because the next one may listen elsewhere; where none runs one is started.
 *
 *     request ──► find ── none runs ──► start ──► send ── nobody answers ──► again, if the request may be repeated
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Address, ServerUnreachable } from "../client/client.ts";
import { backoff } from "../kit/time/backoff.ts";
import { withAddress } from "./with-address.ts";
import { DEFAULT_URL, findServer, hasDied } from "./find-server.ts";
import { homeOf } from "./home.ts";
import { fetchWithoutTimeout } from "./fetch-without-timeout.ts";
import { startServer } from "./start-server.ts";
import type { Surroundings } from "./surroundings.ts";

/** How often a request is sent again before it is given up, some ten seconds in all. */
const MAX_TRIES = 8;

export interface ReconnectingOptions extends Surroundings {
  /** The file that runs this program. */
  executable: string;
  /** Following is no reason to start a server that somebody stopped: whoever follows waits until one runs. */
  keepsStopped?: boolean;
}

export const reconnectingAddress = (options: ReconnectingOptions): Address => {
  let starting: Promise<void> | undefined;
  /** Those who ask at the same time wait for the same start. */
  const start = (): Promise<void> =>
    (starting ??= startServer(options.executable, options).finally(
      () => (starting = undefined),
    ));
  const find = async (init: RequestInit): Promise<Address> => {
    try {
      return await findServer(options);
    } catch (error) {
      if (!(error instanceof ServerUnreachable) || isNamedByUser(options))
        throw error;
      const mayStart = options.keepsStopped !== true || !isFollowing(init);
      if (!mayStart && !(await hasDied(homeOf(options)))) throw error;
      await start();
      return findServer(options);
    }
  };
  return {
    url: options.env["REPRISE_URL"] ?? DEFAULT_URL,
    fetch: async (input, init = {}) => {
      for (let tries = 1; ; tries += 1) {
        const address = await find(init);
        try {
          return await fetchWithoutTimeout(
            ...withAddress(input, init, address),
          );
        } catch (error) {
          const mayRepeat = isRepeatable(init) && tries < MAX_TRIES;
          if (init.signal?.aborted === true || !mayRepeat) throw error;
        }
        const pause = backoff(tries, 50, 3000);
        await delay(pause, null, init.signal ? { signal: init.signal } : {});
      }
    },
  };
};

/** Whether the user named a server; such a server is not started by us. */
export const isNamedByUser = ({ env }: Surroundings): boolean =>
  env["REPRISE_URL"] !== undefined && env["REPRISE_URL"] !== "";

const isFollowing = (init: RequestInit): boolean =>
  new Headers(init.headers).get("accept") === "text/event-stream";

/** The server answers a second request with the same key as it answered the first. */
const isRepeatable = (init: RequestInit): boolean =>
  (init.method ?? "GET") === "GET" ||
  new Headers(init.headers).has("idempotency-key");
