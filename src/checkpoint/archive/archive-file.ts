import {
  decodeManifest,
  MAX_MANIFEST_BYTES,
  type Manifest,
} from "./archive.ts";
import { decodeBody, objectIn, type Placed } from "../format/block.ts";
import { SingleFile } from "../bytes/single-file.ts";
import { refused, type MeasuredSource } from "../trees/check-trees.ts";
import { PIECE } from "../format/entry.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";
import { blocksOf, readBlock, type BlockAt } from "../packs/pack.ts";

/** An archive whose every object was found to be what its name says. */
export class ArchiveFile implements MeasuredSource {
  readonly blocks: BlockAt[] = [];
  readonly #file: SingleFile;
  readonly #places = new Map<Hash, { block: number; placed: Placed }>();
  #last: { block: number; raw: Buffer } | null = null;

  private constructor(file: SingleFile) {
    this.#file = file;
  }

  /** Reads it from end to end; the caller closes it. */
  static async open(
    path: string,
    limits: { maxBytes: number; maxObjects: number },
    isAborted: () => boolean,
  ): Promise<ArchiveFile> {
    const archive = new ArchiveFile(new SingleFile(path));
    try {
      await archive.#readAll(limits, isAborted);
      return archive;
    } catch (error) {
      archive.close();
      throw error;
    }
  }

  close(): void {
    this.#file.close();
  }

  async manifest(): Promise<Manifest> {
    const found = [...this.#places.values()].filter(
      ({ placed }) => placed.kind === "manifest",
    );
    const [only] = found;
    if (only === undefined || found.length > 1)
      throw refused("it does not say what it is");
    if (only.placed.length > MAX_MANIFEST_BYTES)
      throw new VaultFailure("too_large", "the archive says too much");
    return decodeManifest(await this.object(only.placed.hash));
  }

  async object(hash: Hash): Promise<Buffer> {
    const place = this.#places.get(hash);
    if (place === undefined) throw refused("it lacks an object that it needs");
    return objectIn(await this.unpacked(place.block), place.placed);
  }

  lengthOf(hash: Hash): number | null {
    return this.#places.get(hash)?.placed.length ?? null;
  }

  /** A member's bytes, of which the manifest says how many there are. */
  async member({
    size,
    pieces,
  }: Manifest["members"][number]): Promise<Uint8Array> {
    if (pieces.length !== Math.ceil(size / PIECE))
      throw refused("a member is not as long as it says");
    // Before any of it is in memory: a few bytes can name a large object again and again.
    const length = pieces.reduce(
      (sum, hash) => sum + (this.lengthOf(hash) ?? 0),
      0,
    );
    if (length !== size) throw refused("a member is not as long as it says");
    const parts: Buffer[] = [];
    for (const hash of pieces) parts.push(await this.object(hash));
    const bytes = Buffer.concat(parts);
    return Uint8Array.from(bytes);
  }

  async unpacked(block: number): Promise<Buffer> {
    if (this.#last?.block === block) return this.#last.raw;
    const { name } = this.#file.stored;
    const offset = this.blocks[block]?.offset ?? 0;
    const { header, body } = await readBlock(this.#file, name, offset);
    const raw = decodeBody(header, body);
    this.#last = { block, raw };
    return raw;
  }

  async #readAll(
    limits: { maxBytes: number; maxObjects: number },
    isAborted: () => boolean,
  ): Promise<void> {
    let unpacked = 0;
    for await (const block of blocksOf(this.#file, this.#file.stored, refuse)) {
      if (isAborted())
        throw new VaultFailure("aborted", "the import was called off");
      unpacked += block.header.rawLength;
      const count = this.#places.size + block.placed.length;
      if (unpacked > limits.maxBytes || count > limits.maxObjects)
        throw new VaultFailure("too_large", "the archive holds too much");
      const number = this.blocks.push(block) - 1;
      await this.#check(number, block.placed);
    }
  }

  async #check(block: number, placed: readonly Placed[]): Promise<void> {
    try {
      const raw = await this.unpacked(block);
      for (const each of placed) {
        objectIn(raw, each);
        this.#places.set(each.hash, { block, placed: each });
      }
    } catch (error) {
      if (error instanceof VaultFailure) refuse(error);
      throw error;
    }
  }
}

/** An archive is whole or it is nothing. */
const refuse = (failure: VaultFailure): never => {
  if (failure.code === "unknown_version") throw failure;
  throw refused(failure.message, failure);
};
