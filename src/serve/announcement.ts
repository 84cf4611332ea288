import { join } from "node:path";
import * as z from "zod";
import {
  readIfThere,
  remove,
  writeDurably,
} from "../kit/files/durable-file.ts";
import { ownJsonOrNull } from "../kit/files/own-json.ts";
import { identify } from "../kit/processes/process-identity.ts";

/** `server.json`: which process holds a home, and, once it serves, where clients on this machine find it. */
const Announced = z.object({
  pid: z.number(),
  boot_id: z.string(),
  start_time: z.string(),
  url: z.string().optional(),
});
export type Announced = z.infer<typeof Announced>;

/** What the holder of a home wrote; it may be gone. Null when there is nothing that can be read. */
export const readAnnouncement = (home: string): Promise<Announced | null> =>
  ownJsonOrNull(pathIn(home), (document) => Announced.parse(document));

export interface Announcement {
  /** Tells clients where the server is. Resolves with how to take that back. */
  serving(server: {
    url: string;
    version: string;
  }): Promise<() => Promise<void>>;
  /** Takes all of it back. */
  withdraw(): Promise<void>;
}

/** Says that this process holds the home, before anything else is done in it. */
export const announce = async (home: string): Promise<Announcement> => {
  const path = pathIn(home);
  const identity = await identify(process.pid);
  let written = "";
  const write = async (facts: object): Promise<void> => {
    const text = JSON.stringify({ ...facts, ...identity });
    await writeDurably(path, text);
    written = text;
  };
  await write({});
  /** A server that took over has put its own there. */
  const isOurs = async (): Promise<boolean> =>
    (await readIfThere(path).catch(() => null)) === written;
  return {
    async serving(server) {
      await write(server);
      return async () => {
        // On a disk that cannot be written any more it stays; once we are gone it misleads nobody.
        if (await isOurs()) await write({}).catch(() => undefined);
      };
    },
    async withdraw() {
      if (await isOurs()) await remove(path).catch(() => undefined);
    },
  };
};

const pathIn = (home: string): string => join(home, "server.json");
