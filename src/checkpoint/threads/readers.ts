import type { FileRows } from "../trees/arena.ts";
import type { Hash } from "../format/hash.ts";
import type { SideWorkers } from "./side-workers.ts";
import type { FileBatch } from "../read/read-files.ts";
import { SharedHashes } from "../packs/shared-hashes.ts";

/** The threads that help to read files for a save. Each writes packs of its own, and no object is in two of them. */
export class Readers {
  readonly #sideWorkers: SideWorkers;
  #taken: SharedHashes | null = null;

  constructor(sideWorkers: SideWorkers) {
    this.#sideWorkers = sideWorkers;
  }

  get areUseful(): boolean {
    return this.#sideWorkers.areUseful;
  }

  /** How many batches they have at a time. */
  get atOnce(): number {
    return this.#sideWorkers.atOnce;
  }

  /** False when one of them has taken it. */
  take(hash: Hash): boolean {
    return this.#taken?.take(hash) ?? true;
  }

  read(batch: FileBatch): Promise<FileRows> {
    this.#taken ??= new SharedHashes();
    return this.#sideWorkers.ask("readFiles", {
      batch,
      taken: this.#taken.memory,
    });
  }

  /** Resolves, with the bytes that were written, when everything is durable. */
  async finish(): Promise<number> {
    const written = await this.#sideWorkers.askEach("finishReading", null);
    return written.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Gives up what is not in a sealed pack. */
  async discard(): Promise<void> {
    // One that is gone leaves a draft, which the next to open the vault removes.
    await this.#sideWorkers.askEach("discardReading", null).catch(() => {});
  }

  close(): Promise<void> {
    return this.#sideWorkers.close();
  }
}
