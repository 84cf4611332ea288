import { join } from "node:path";
import { decodeBody, objectIn, type ObjectKind } from "./block.ts";
import type { Bytes } from "./bytes/bytes.ts";
import type { Entry, Piece } from "./entry.ts";
import { VaultFailure } from "./failure.ts";
import type { Hash } from "./hash.ts";
import {
  addIndexFile,
  writeIndexFile,
  type IndexedBlock,
} from "./index-file.ts";
import { removeLocal } from "./local-file.ts";
import { PackIndex, type Location } from "./pack-index.ts";
import { blocksOf, readBlock } from "./pack.ts";
import { decodePieces, decodeRoot, decodeTree } from "./tree.ts";

/** What reads checkpoints: the vault's objects, or some laid over them. */
export interface ObjectSource {
  object(hash: Hash): Promise<Buffer>;
}

/** Blocks that were unpacked lately. */
const MOST_BLOCKS = 8;

/** Everything in the packs, by hash. Belongs to one thread; others may add packs and remove them meanwhile. */
export class Objects implements ObjectSource {
  readonly bytes: Bytes;
  readonly #cache: string;
  #index = new PackIndex();
  #packs = new Map<string, number>();
  readonly #blocks = new Map<string, Promise<Buffer>>();
  readonly #onDamage: (failure: VaultFailure) => void;

  /** `cache` is the folder where indexes are kept. */
  constructor(
    bytes: Bytes,
    cache: string,
    onDamage: (failure: VaultFailure) => void,
  ) {
    this.bytes = bytes;
    this.#cache = cache;
    this.#onDamage = onDamage;
  }

  /** Learns of packs that came and went. */
  async refresh(): Promise<void> {
    const packs = await this.bytes.list();
    const names = new Set(packs.map(({ name }) => name));
    const gone = [...this.#packs.keys()].filter((name) => !names.has(name));
    if (gone.length > 0) {
      this.#index = new PackIndex();
      this.#packs = new Map();
      this.#blocks.clear();
      for (const name of gone) removeLocal(this.indexPath(name));
    }
    for (const pack of packs) {
      if (this.#packs.has(pack.name)) continue;
      if (!addIndexFile(this.indexPath(pack.name), pack.name, this.#index))
        await this.#readPack(pack);
      this.#packs.set(pack.name, pack.size);
    }
  }

  /** Adds a pack that was sealed here. */
  learn(name: string, size: number, blocks: readonly IndexedBlock[]): void {
    writeIndexFile(this.indexPath(name), blocks);
    this.#add(name, blocks);
    this.#packs.set(name, size);
  }

  has(hash: Hash): boolean {
    return this.#index.has(hash);
  }

  locate(hash: Hash): Location {
    const location = this.#index.get(hash);
    if (location === null)
      throw new VaultFailure("missing", `object ${hash} is not in the vault`);
    return location;
  }

  async object(hash: Hash): Promise<Buffer> {
    const { pack, block, at, length } = this.locate(hash);
    const raw = await this.block(pack, block);
    return objectIn(raw, { hash, at, length });
  }

  /** The content of a block. */
  async block(pack: string, offset: number): Promise<Buffer> {
    const key = `${pack}:${offset}`;
    const known = this.#blocks.get(key);
    if (known !== undefined) return known;
    for (const [oldest] of this.#blocks) {
      if (this.#blocks.size < MOST_BLOCKS) break;
      this.#blocks.delete(oldest);
    }
    const raw = this.unpacked(pack, offset);
    this.#blocks.set(key, raw);
    try {
      return await raw;
    } catch (error) {
      this.#blocks.delete(key);
      throw error;
    }
  }

  /** The same for those who need each block once. */
  async unpacked(pack: string, offset: number): Promise<Buffer> {
    const { header, body } = await readBlock(this.bytes, pack, offset);
    return decodeBody(header, body);
  }

  indexPath(pack: string): string {
    return join(this.#cache, `${pack}.index`);
  }

  async #readPack(pack: { name: string; size: number }): Promise<void> {
    const blocks: IndexedBlock[] = [];
    let whole = true;
    for await (const block of blocksOf(this.bytes, pack, (failure) => {
      whole = false;
      this.#onDamage(failure);
    }))
      blocks.push(block);
    // What could not be read may be mended one day.
    if (whole) writeIndexFile(this.indexPath(pack.name), blocks);
    this.#add(pack.name, blocks);
  }

  #add(name: string, blocks: readonly IndexedBlock[]): void {
    const number = this.#index.addPack(name);
    for (const { offset, placed } of blocks)
      for (const { hash, at, length } of placed)
        this.#index.add(hash, number, offset, at, length);
  }
}

export const treeOf = async (
  source: ObjectSource,
  hash: Hash,
): Promise<Entry[]> => decodeTree(await source.object(hash));

export const rootOf = async (
  source: ObjectSource,
  hash: Hash,
): Promise<Entry & { kind: "directory" }> =>
  decodeRoot(await source.object(hash));

export const piecesOf = async (
  source: ObjectSource,
  hash: Hash,
): Promise<Piece[]> => decodePieces(await source.object(hash));

export type { ObjectKind };
