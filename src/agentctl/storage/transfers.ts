/** Files that lie here while they go over one link. They are nothing after a restart, and gone with their link. */
import { createReadStream, createWriteStream } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { TransferId } from "../../contract/base/id.ts";
import { remove } from "../../kit/files/durable-file.ts";
import { ulid } from "../../kit/data/ulid.ts";
import { LinkError } from "../../contract/link/link-error.ts";
import type { CheckpointStorage } from "./checkpoint-storage.ts";

export class Transfers {
  readonly #storage: Pick<CheckpointStorage, "makeScratch">;
  readonly #known = new Map<TransferId, "coming" | "whole">();
  #directory: Promise<string> | null = null;
  #isClosed = false;

  constructor(storage: Pick<CheckpointStorage, "makeScratch">) {
    this.#storage = storage;
  }

  /** Where it lies. */
  async pathOf(id: TransferId): Promise<string> {
    if (this.#known.get(id) === "whole") return this.#at(id);
    throw new LinkError("unknown_transfer", `${id} is not here`);
  }

  /** Takes in what comes, piece by piece, never faster than the disk takes it. */
  async take(
    id: TransferId,
    content: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    if (this.#known.has(id))
      throw new LinkError("invalid_params", `${id} is here already`);
    this.#known.set(id, "coming");
    try {
      const path = await this.#at(id);
      await wholeOrNothing(path, () =>
        pipeline(
          Readable.from(content),
          createWriteStream(path, { flags: "wx", mode: 0o600 }),
        ),
      );
    } catch (error) {
      this.#known.delete(id);
      throw error;
    }
    this.#known.set(id, "whole");
  }

  /** A new one, which the work writes. */
  async make(
    work: (path: string) => Promise<unknown>,
  ): Promise<{ transfer: TransferId; bytes: number }> {
    const transfer = TransferId.parse(`trf_${ulid(Date.now())}`);
    const path = await this.#at(transfer);
    const { size } = await wholeOrNothing(path, async () => {
      await work(path);
      return stat(path);
    });
    this.#known.set(transfer, "whole");
    return { transfer, bytes: size };
  }

  keep(content: Uint8Array): Promise<{ transfer: TransferId; bytes: number }> {
    return this.make((path) =>
      writeFile(path, content, { flag: "wx", mode: 0o600 }),
    );
  }

  /** Its bytes from an offset on. */
  async read(id: TransferId, from: number): Promise<Readable> {
    const path = await this.pathOf(id);
    const { size } = await stat(path);
    if (from > size)
      throw new LinkError("invalid_params", `${id} ends before ${from}`);
    return createReadStream(path, { start: from, highWaterMark: READ_BYTES });
  }

  async release(ids: readonly TransferId[]): Promise<void> {
    for (const id of ids)
      if (this.#known.get(id) === "whole") {
        this.#known.delete(id);
        await remove(await this.#at(id));
      }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#known.clear();
    if (this.#directory !== null) await remove(await this.#directory);
  }

  async #at(id: TransferId): Promise<string> {
    if (this.#isClosed)
      throw new LinkError("unknown_transfer", "the link is closed");
    this.#directory ??= this.#makeDirectory();
    return join(await this.#directory, id);
  }

  async #makeDirectory(): Promise<string> {
    try {
      return await this.#storage.makeScratch();
    } catch (error) {
      // A disk that was full may have room the next time.
      this.#directory = null;
      throw error;
    }
  }
}

/** Removes the file where it could not be written to its end. */
const wholeOrNothing = async <T>(
  path: string,
  write: () => Promise<T>,
): Promise<T> => {
  try {
    return await write();
  } catch (error) {
    await remove(path);
    throw error;
  }
};

const READ_BYTES = 256 * 1024;
