/** The proxies of this place: one for each sandbox with a list of hosts, by the id of what runs in it. */
import { constants } from "node:fs";
import { mkdir, open, readdir } from "node:fs/promises";
import type { Server } from "node:http";
import { join } from "node:path";
import { remove } from "../../kit/files/durable-file.ts";
import { type Log, reasonOf } from "../base/log.ts";
import { listProxy } from "./proxy.ts";

/** Names that are refused are told once each, and not without end. */
const MAX_TOLD = 20;
/** Of the socket, in a directory that the sandbox sees: the next agentctl makes it anew there. */
export const PROXY_SOCKET = "proxy";

export class Proxies {
  readonly #directory: string;
  readonly #log: Log;
  readonly #open = new Map<string, Server>();

  constructor(directory: string, log: Log) {
    this.#directory = directory;
    this.#log = log;
  }

  /** Where its socket is, as a directory. `tell` hears of names that are refused. */
  async open(
    id: string,
    hosts: readonly string[],
    tell: (text: string) => void = () => undefined,
  ): Promise<string> {
    const directory = this.directoryOf(id);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    if (this.#open.has(id)) return directory;
    const told = new Set<string>();
    const server = listProxy({
      hosts,
      onError: (error) =>
        this.#log("a proxy of a sandbox", { id, error: reasonOf(error) }),
      onRefused: (name) => {
        if (told.has(name) || told.size >= MAX_TOLD) return;
        told.add(name);
        this.#log("a host is not in the list of a sandbox", { id, name });
        tell(
          `The sandbox does not let ${name} through: it is not in the list of hosts of this session, or leads to no public address.`,
        );
      },
    });
    await remove(join(directory, PROXY_SOCKET));
    // A name below a home may be too long for a socket; one below an open directory is not. Its end is known by that name, too.
    const at = await open(
      directory,
      constants.O_RDONLY | constants.O_DIRECTORY,
    );
    server.once("close", () => void at.close());
    this.#open.set(id, server);
    const listening = Promise.withResolvers<void>();
    server.once("error", listening.reject);
    server.listen(`/proc/self/fd/${at.fd}/${PROXY_SOCKET}`, () =>
      listening.resolve(),
    );
    await listening.promise.catch(async (error: unknown) => {
      this.#open.delete(id);
      await at.close();
      throw error;
    });
    return directory;
  }

  /** For what runs already. Where that fails it reaches nothing until it starts again, and is there all the same. */
  async reopen(
    id: string,
    hosts: readonly string[] | undefined,
    tell?: (text: string) => void,
  ): Promise<void> {
    if (hosts === undefined) return;
    await this.open(id, hosts, tell).catch((error: unknown) =>
      this.#log("the proxy of a sandbox cannot be opened again", {
        id,
        error: reasonOf(error),
      }),
    );
  }

  directoryOf(id: string): string {
    return join(this.#directory, id);
  }

  async close(id: string): Promise<void> {
    if (!this.#open.has(id)) return;
    this.#end(id);
    await remove(this.directoryOf(id));
  }

  /** Removes what belongs to nothing that was adopted. */
  async sweep(): Promise<void> {
    const names = await readdir(this.#directory).catch(() => []);
    for (const name of names)
      if (!this.#open.has(name)) await remove(this.directoryOf(name));
  }

  /** The sockets stay: the next agentctl listens there. */
  leave(): void {
    for (const id of this.#open.keys()) this.#end(id);
  }

  #end(id: string): void {
    const server = this.#open.get(id);
    this.#open.delete(id);
    server?.close();
    server?.closeAllConnections();
  }
}
