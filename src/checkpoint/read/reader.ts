import type { FileRows } from "../trees/arena.ts";
import type { Objects } from "../packs/objects.ts";
import { PackWriter } from "../packs/pack-writer.ts";
import { readFiles, type FileBatch } from "./read-files.ts";
import { SharedHashes } from "../packs/shared-hashes.ts";
import { UnseenChanges } from "./unseen-changes.ts";

/** One of the threads that read files for a save, from inside. */
export class Reader {
  readonly #objects: Objects;
  #writer: PackWriter | null = null;
  #doubts: UnseenChanges | null = null;

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  async read(
    batch: FileBatch,
    taken: SharedArrayBuffer,
    isAborted: () => boolean,
  ): Promise<FileRows> {
    if (this.#writer === null) {
      await this.#objects.refresh();
      this.#writer = new PackWriter(this.#objects, new SharedHashes(taken));
    }
    // All batches of a reader are of one capture.
    this.#doubts ??= new UnseenChanges(batch.root, batch.startedAt);
    return readFiles(batch, this.#doubts, this.#writer, isAborted);
  }

  async finish(): Promise<number> {
    await this.#writer?.finish();
    return this.#writer?.newBytes ?? 0;
  }

  async discard(): Promise<void> {
    await this.#writer?.discard();
    this.#writer = null;
  }
}
