/**
 * The address of the server of this machine, for commands that outlive it: the next server may listen elsewhere. None is
 * started. A server that `REPRISE_URL` names stays where that says.
 */
import type { Address } from "../client/client.ts";
import { fetchWithoutTimeout } from "./fetch-without-timeout.ts";
import { findServer } from "./find-server.ts";
import { isNamedByUser } from "./reconnecting-address.ts";
import type { Surroundings } from "./surroundings.ts";
import { withAddress } from "./with-address.ts";

/** `ServerUnreachable` where none runs, also for each request later on. */
export const lastingAddress = async (world: Surroundings): Promise<Address> => {
  const first = await findServer(world);
  if (isNamedByUser(world)) return first;
  let found: Address | null = first;
  return {
    ...first,
    fetch: async (input, init = {}) => {
      // Only the first request may trust what was found before: whoever listens there later is not given the token.
      const address = found ?? (await findServer(world));
      found = null;
      return fetchWithoutTimeout(...withAddress(input, init, address));
    },
  };
};
