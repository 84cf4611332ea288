import { readdirSync, readFileSync } from "node:fs";
import type { ByteString } from "../format/byte-string.ts";
import { deviceName } from "../files/device.ts";

const PROCESSES = "/proc";

/** A line of a process's `maps`: a mapping that is shared and may be written to. */
const SHARED_WRITABLE =
  /^\S+ .w.s \S+ (?<dev>\S+) (?<ino>\d+) *(?<path>\/.*)?$/gm;

/**
 * The files that processes have mapped so that they can write to them. Only processes that we may look at are known: our
 * own user's, or all of them for the superuser.
 */
export class Mappings {
  readonly #paths = new Set<ByteString>();
  readonly #files = new Set<string>();

  /** As it is now. */
  static take(): Mappings {
    const mappings = new Mappings();
    for (const process of processes()) mappings.#add(mapsOf(process));
    return mappings;
  }

  /** By its path or by its number: a file may have been mapped under another name. */
  has(path: ByteString, { dev, ino }: { dev: bigint; ino: bigint }): boolean {
    return (
      this.#paths.has(path) ||
      this.#files.has(`${deviceName(Number(dev))} ${ino}`)
    );
  }

  #add(maps: string): void {
    for (const { groups } of maps.matchAll(SHARED_WRITABLE)) {
      this.#files.add(`${groups?.["dev"]} ${groups?.["ino"]}`);
      const path = groups?.["path"];
      if (path !== undefined) this.#paths.add(path.replaceAll("\\012", "\n"));
    }
  }
}

/** None where the system does not list them. */
const processes = (): string[] => {
  try {
    return readdirSync(PROCESSES).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
};

/** Empty for a process that has ended, and for one that is not ours to look at. */
const mapsOf = (process: string): string => {
  try {
    return readFileSync(`${PROCESSES}/${process}/maps`, "latin1");
  } catch {
    return "";
  }
};
