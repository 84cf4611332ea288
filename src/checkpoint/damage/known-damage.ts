import { statSync } from "node:fs";
import { DamagedPlaces } from "./damaged-places.ts";

/** What is written down as damaged, as a thread sees it. The file is replaced by whoever opened the vault. */
export class KnownDamage {
  readonly #path: string;
  #seen: string | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** What is in the file; null when it has not changed since the last look. */
  async changed(): Promise<DamagedPlaces | null> {
    const seen = fingerprint(this.#path);
    if (seen === this.#seen) return null;
    this.#seen = seen;
    if (seen === "") return new DamagedPlaces();
    // Loaded when there is damage: whoever waits for a checkpoint does not wait for a parser too.
    const { readDamageFile } = await import("./damage-file.ts");
    return new DamagedPlaces(readDamageFile(this.#path)?.places);
  }
}

/** Another one whenever the file was replaced; empty when there is none. */
const fingerprint = (path: string): string => {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
};
