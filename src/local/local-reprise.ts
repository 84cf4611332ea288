/**
 * `reprise/client/node`: the SDK for the server of this machine. It is found as the command line finds it, by the environment
 * and the home, with the token that lies there. None is started.
 */
import type { Address } from "../client/client.ts";
import { Reprise } from "../client/sdk/reprise.ts";
import { findServer } from "./find-server.ts";
import { withAddress } from "./with-address.ts";

export * from "../client/sdk/reprise.ts";

export interface LocalOptions {
  /** Where the server keeps everything: `REPRISE_HOME`, else `~/.reprise`. */
  home?: string;
}

/** The server of this machine, or the one that `REPRISE_URL` names. `ServerUnreachable` where none runs. */
export const localReprise = async (
  options: LocalOptions = {},
): Promise<Reprise> => new Reprise(await localAddress(options));

/** Its address, which stays true: a server that was restarted elsewhere is found again. */
export const localAddress = async ({
  home,
}: LocalOptions = {}): Promise<Address> => {
  const world = {
    env: { ...process.env, ...(home !== undefined && { REPRISE_HOME: home }) },
    cwd: process.cwd(),
  };
  const { url } = await findServer(world);
  return {
    url,
    fetch: async (input, init = {}) =>
      fetch(...withAddress(input, init, await findServer(world))),
  };
};
