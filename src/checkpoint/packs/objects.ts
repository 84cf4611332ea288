import { objectIn } from "../format/block.ts";
import type { Bytes } from "../bytes/bytes.ts";
import { Catalogue, type CatalogueOptions } from "./catalogue.ts";
import type { PackPlace } from "./damaged-places.ts";
import type { Entry, Piece } from "../format/entry.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";
import type { IndexedBlock } from "./index-file.ts";
import type { Location } from "./pack-index.ts";
import { decodePieces, decodeRoot, decodeTree } from "../format/tree.ts";
import { UnpackedBlocks } from "./unpacked-blocks.ts";

/** What reads checkpoints: the vault's objects, or some laid over them. */
export interface ObjectSource {
  object(hash: Hash): Promise<Buffer>;
  /** How the entries of directories are to be taken: as they are, unless it says otherwise. */
  taken?: (entry: Entry) => Entry;
}

/** An object in a block. */
export interface InBlock {
  hash: Hash;
  at: number;
  length: number;
}

/**
 * Everything in the packs, by hash. Belongs to one thread. What is found damaged is not in it any more, so that whoever
 * has the bytes stores them again; where there is another copy, that one is read.
 */
export class Objects implements ObjectSource {
  readonly bytes: Bytes;
  readonly #catalogue: Catalogue;
  readonly #blocks: UnpackedBlocks;
  /** Packs in which something was found damaged, of which the rest has not been read yet. */
  readonly #suspects = new Set<string>();

  constructor(options: CatalogueOptions) {
    this.bytes = options.bytes;
    this.#catalogue = new Catalogue({
      ...options,
      onDamage: (found) => {
        for (const { kind, pack } of found)
          if (kind === "damaged") this.#suspects.add(pack);
        options.onDamage(found);
      },
    });
    this.#blocks = new UnpackedBlocks(options.bytes);
  }

  /** Learns of packs that came and went, and of what others found damaged. */
  async refresh(): Promise<void> {
    if (await this.#catalogue.refresh()) this.#blocks.clear();
  }

  /** Adds a pack that was sealed here. */
  learn(name: string, size: number, blocks: readonly IndexedBlock[]): void {
    this.#catalogue.learn(name, size, blocks);
  }

  has(hash: Hash): boolean {
    return this.#catalogue.has(hash);
  }

  /** Where an object is, as far as anybody knows; null when it is nowhere. */
  find(hash: Hash): Location | null {
    return this.#catalogue.find(hash);
  }

  locate(hash: Hash): Location {
    const location = this.find(hash);
    if (location !== null) return location;
    throw this.damagedPlaces(hash).length > 0
      ? new VaultFailure("damaged", `object ${hash} is damaged`)
      : new VaultFailure("missing", `object ${hash} is not in the vault`);
  }

  /** Where an object was and cannot be read any more. */
  damagedPlaces(hash: Hash): Location[] {
    return this.#catalogue.damagedPlaces(hash);
  }

  /** Objects that are stored more than once. */
  copied(): Iterable<Hash> {
    return this.#catalogue.copied();
  }

  /** Whether something in a pack is known to be damaged. */
  isDamaged(pack: string): boolean {
    return this.#catalogue.isDamaged(pack);
  }

  async object(hash: Hash): Promise<Buffer> {
    for (;;) {
      const bytes = await this.#tryAt(this.locate(hash), hash);
      if (bytes !== null) return bytes;
    }
  }

  /** One object that another thread found at this place. */
  async objectAt(location: Location, hash: Hash): Promise<Buffer> {
    return (await this.#tryAt(location, hash)) ?? this.#elsewhere(hash);
  }

  /** Objects of one block in turn, each from another place where it is damaged in this one. The block is unpacked once. */
  async *inBlock<W extends InBlock>(
    pack: string,
    offset: number,
    wanted: readonly W[],
  ): AsyncGenerator<{ wanted: W; bytes: Buffer }> {
    const reading = this.#blocks.readOnce(pack, offset);
    const raw = await this.#unlessDamaged(reading, pack, offset);
    for (const each of wanted) {
      const bytes = raw && this.#soundIn(raw, pack, offset, each);
      yield {
        wanted: each,
        bytes: bytes ?? (await this.#elsewhere(each.hash)),
      };
    }
  }

  /** How many objects are known in each block of each pack. */
  blocks(): Map<string, Map<number, number>> {
    return this.#catalogue.blocks();
  }

  /** Only this is damaged, whatever was known before. Nobody else is told. */
  assume(places: readonly PackPlace[]): void {
    this.#catalogue.assume(places);
  }

  /**
   * Damage seldom comes alone: where some was found in a pack the rest of it is read too, so that the next checkpoint
   * relies on nothing of it that is lost.
   */
  async checkSuspects(): Promise<void> {
    if (this.#suspects.size === 0) return;
    // Loaded when it is needed: most threads never do.
    const { checkPack } = await import("./check-pack.ts");
    const known = this.#catalogue.blocks();
    for (const pack of await this.bytes.list()) {
      const { name } = pack;
      if (!this.#suspects.has(name)) continue;
      const expected = known.get(name) ?? new Map();
      const { faults } = await checkPack(this.bytes, pack, expected, NEVER);
      this.#catalogue.drop(faults.map((fault) => ({ pack: name, ...fault })));
    }
    this.#suspects.clear();
  }

  async #tryAt(at: Location, hash: Hash): Promise<Buffer | null> {
    const { pack, block } = at;
    const reading = this.#blocks.read(pack, block);
    const raw = await this.#unlessDamaged(reading, pack, block);
    return raw && this.#soundIn(raw, pack, block, { ...at, hash });
  }

  /** A thread that was told of one place knows no others yet. */
  async #elsewhere(hash: Hash): Promise<Buffer> {
    await this.refresh();
    return this.object(hash);
  }

  /** Null when it cannot be read: then nobody looks there any more. */
  async #unlessDamaged(
    reading: Promise<Buffer>,
    pack: string,
    block: number,
  ): Promise<Buffer | null> {
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof VaultFailure)) throw error;
      switch (error.code) {
        case "damaged":
          this.#drop(error, { pack, block, object: null });
          return null;
        case "not_permitted":
          this.#drop(error, { pack, block: null, object: null });
          return null;
        case "not_found":
          await this.refresh();
          this.#catalogue.miss(pack);
          return null;
        default:
          throw error;
      }
    }
  }

  #soundIn(
    raw: Buffer,
    pack: string,
    block: number,
    wanted: InBlock,
  ): Buffer | null {
    try {
      return objectIn(raw, wanted);
    } catch (error) {
      if (!(error instanceof VaultFailure)) throw error;
      this.#drop(error, { pack, block, object: wanted.hash });
      return null;
    }
  }

  #drop({ message: why }: VaultFailure, place: PackPlace): void {
    this.#catalogue.drop([{ ...place, why }]);
  }
}

const NEVER = (): boolean => false;

export const treeOf = async (
  source: ObjectSource,
  hash: Hash,
): Promise<Entry[]> => {
  const entries = decodeTree(await source.object(hash));
  return source.taken === undefined ? entries : entries.map(source.taken);
};

export const rootOf = async (
  source: ObjectSource,
  hash: Hash,
): Promise<Entry & { kind: "directory" }> =>
  decodeRoot(await source.object(hash));

export const piecesOf = async (
  source: ObjectSource,
  hash: Hash,
): Promise<Piece[]> => decodePieces(await source.object(hash));
