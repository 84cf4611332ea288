import type { Bytes, Stored } from "../bytes/bytes.ts";
import type { Damage } from "./damage.ts";
import { DamagedPlaces, type PackPlace } from "./damaged-places.ts";
import type { KnownDamage } from "./known-damage.ts";
import type { Hash } from "../format/hash.ts";
import {
  addIndexFile,
  writeIndexFile,
  type IndexedBlock,
} from "./index-file.ts";
import { removeLocal } from "../files/local-file.ts";
import { indexOf } from "./lost-packs.ts";
import { PackIndex, type Location } from "./pack-index.ts";
import { blocksOf } from "./pack.ts";

export interface CatalogueOptions {
  bytes: Bytes;
  /** The folder where indexes are kept. */
  cache: string;
  /** What others found damaged before; null when nobody says. */
  known: KnownDamage | null;
  /** Hears of what is found damaged here. */
  onDamage: (found: readonly Damage[]) => void;
  warn: (warning: string) => void;
}

/**
 * Which objects are in which packs, without what is known to be damaged. Belongs to one thread; others may add packs and
 * remove them meanwhile.
 */
export class Catalogue {
  readonly #options: CatalogueOptions;
  #index = new PackIndex();
  #damaged = new DamagedPlaces();
  #packs = new Map<string, number>();

  constructor(options: CatalogueOptions) {
    this.#options = options;
  }

  /** Learns of packs that came and went, and of what others found damaged. True when packs are gone. */
  async refresh(): Promise<boolean> {
    const { bytes, known, onDamage } = this.#options;
    this.#damaged = known?.changed() ?? this.#damaged;
    const packs = await bytes.list();
    const sizes = new Map(packs.map(({ name, size }) => [name, size]));
    const changed = [...this.#packs].filter(
      ([name, size]) => sizes.get(name) !== size,
    );
    if (changed.length > 0) {
      this.#index = new PackIndex();
      this.#packs = new Map();
    }
    for (const [pack] of changed) removeLocal(this.#indexPath(pack));
    const lost = changed.filter(([pack]) => !sizes.has(pack));
    if (lost.length > 0)
      onDamage(lost.map(([pack]) => ({ kind: "lost", pack })));
    for (const pack of packs) {
      if (this.#packs.has(pack.name)) continue;
      if (!addIndexFile(this.#indexPath(pack.name), pack, this.#index))
        await this.#readPack(pack);
      this.#packs.set(pack.name, pack.size);
    }
    return changed.length > 0;
  }

  /** Adds a pack that was sealed here. */
  learn(name: string, size: number, blocks: readonly IndexedBlock[]): void {
    writeIndexFile(this.#indexPath(name), size, blocks);
    this.#add(name, blocks);
    this.#packs.set(name, size);
  }

  has(hash: Hash): boolean {
    return this.#damaged.isEmpty
      ? this.#index.has(hash)
      : this.find(hash) !== null;
  }

  /** Where an object is, as far as anybody knows; null when it is nowhere. */
  find(hash: Hash): Location | null {
    if (this.#damaged.isEmpty) return this.#index.get(hash);
    return this.#index.all(hash).find((at) => !this.#isOut(at, hash)) ?? null;
  }

  /** Where an object was and cannot be read any more. */
  damagedPlaces(hash: Hash): Location[] {
    return this.#index.all(hash).filter((at) => this.#isOut(at, hash));
  }

  /** Objects that are stored more than once. */
  copied(): Iterable<Hash> {
    return this.#index.copied();
  }

  /** How many objects are known in each block of each pack. */
  blocks(): Map<string, Map<number, number>> {
    return this.#index.blocks();
  }

  /** Whether something in a pack is known to be damaged. */
  isDamaged(pack: string): boolean {
    return this.#damaged.touches(pack);
  }

  /** What is there is not found any more, and others are told. */
  drop(places: readonly (PackPlace & { why: string })[]): void {
    const found = places
      .filter((place) => this.#damaged.add(place))
      .map((place): Damage => ({ kind: "damaged", ...place }));
    if (found.length > 0) this.#options.onDamage(found);
  }

  /** Only this is damaged, whatever was known before. Others are not told. */
  assume(places: readonly PackPlace[]): void {
    this.#damaged = new DamagedPlaces(places);
  }

  /** The pack was gone when it was read; whether that is damage shows when packs are listed. */
  miss(pack: string): void {
    this.#damaged.add({ pack, block: null, object: null });
  }

  #isOut({ pack, block }: Location, hash: Hash): boolean {
    return this.#damaged.has(pack, block, hash);
  }

  async #readPack(pack: Stored): Promise<void> {
    const { bytes, warn } = this.#options;
    const blocks: IndexedBlock[] = [];
    let whole = true;
    for await (const block of blocksOf(bytes, pack, (failure, offset) => {
      whole = false;
      // A newer release knows how to read it.
      if (failure.code === "unknown_version") warn(failure.message);
      else
        this.drop([
          {
            pack: pack.name,
            block: offset,
            object: null,
            why: failure.message,
          },
        ]);
    }))
      blocks.push(block);
    // What could not be read may be mended one day.
    if (whole) writeIndexFile(this.#indexPath(pack.name), pack.size, blocks);
    this.#add(pack.name, blocks);
  }

  #add(name: string, blocks: readonly IndexedBlock[]): void {
    const number = this.#index.addPack(name);
    for (const { offset, placed } of blocks)
      for (const { hash, at, length } of placed)
        this.#index.add(hash, number, offset, at, length);
  }

  #indexPath(pack: string): string {
    return indexOf(this.#options.cache, pack);
  }
}
