import { once } from "node:events";
import { chmodSync, lstatSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { placeDurably } from "../../kit/files/durable-file.ts";
import type { LinkContext } from "./connection.ts";
import { linkServer } from "./link-server.ts";
import { type NetworkSettings, openNetworkDoor } from "./network-door.ts";

export interface Listening {
  /** Where servers on other machines connect to; null where it listens on its socket alone. */
  readonly address: { host: string; port: number } | null;
  close(): Promise<void>;
}

/** Listens on a unix socket, and on the network where that is asked for. Whoever calls this holds the lock. */
export const listen = async (
  socketPath: string,
  token: string,
  context: Omit<LinkContext, "onHello" | "isRemote">,
  network: NetworkSettings | null = null,
): Promise<Listening> => {
  const server = linkServer({ token, isRemote: false }, context);
  // The door that may be taken comes first: what fails there leaves nothing behind.
  const door =
    network === null
      ? null
      : await openNetworkDoor(server, network, context.log);
  await mkdir(dirname(socketPath), { recursive: true, mode: 0o700 });
  // Bound under another name, as long as its own: it appears with its mode, and closing it does not remove whatever has the name by then.
  const draft = `${socketPath.slice(0, -1)}~`;
  await rm(draft, { force: true });
  server.http.listen(draft);
  await once(server.http, "listening");
  // Without a descriptor left a connection cannot be taken. That is no reason to leave the agents alone.
  server.http.on("error", (error) =>
    context.log("cannot take a connection", { error: error.message }),
  );
  chmodSync(draft, 0o600);
  const ours = inodeOf(draft);
  await placeDurably(draft, socketPath);
  return {
    address: door?.address ?? null,
    close: async () => {
      server.close();
      door?.close();
      if (inodeOf(socketPath) === ours) await rm(socketPath, { force: true });
    },
  };
};

const inodeOf = (path: string): bigint | undefined =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
