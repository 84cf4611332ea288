import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { failureOf, VaultFailure } from "../format/failure.ts";
import type { Readable, Stored } from "./bytes.ts";

/** A pack that lies anywhere and is only read. */
export class SingleFile implements Readable {
  readonly stored: Stored;
  readonly #file: number;

  constructor(path: string) {
    try {
      this.#file = openSync(path, "r");
    } catch (error) {
      throw failureOf(error);
    }
    const stat = fstatSync(this.#file);
    if (!stat.isFile()) {
      this.close();
      throw new VaultFailure("refused", `${path} is not a file`);
    }
    this.stored = { name: basename(path), size: stat.size };
  }

  async read(
    name: string,
    offset: number,
    length: number,
  ): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafe(length);
    for (let have = 0; have < length;) {
      const got = readSync(
        this.#file,
        bytes,
        have,
        length - have,
        offset + have,
      );
      if (got === 0)
        throw new VaultFailure("damaged", `${name} ends before its time`);
      have += got;
    }
    return bytes;
  }

  close(): void {
    closeSync(this.#file);
  }
}
