import { HASH_BYTES, type Hash } from "../format/hash.ts";
import { putHash } from "../format/wire.ts";

/** Where an object is. */
export interface Location {
  pack: string;
  /** Where its block begins in the pack. */
  block: number;
  /** Where it begins in the block's content. */
  at: number;
  length: number;
}

/** The same with the number of its pack. */
type Place = Omit<Location, "pack"> & { pack: number };

/**
 * Which object is where, for all packs at once. Hundreds of thousands of objects are usual, so it is made of flat
 * arrays: rows, and an open hash table of row numbers (the hash needs no hashing).
 */
export class PackIndex {
  #rows = 0;
  #hashes: Buffer = Buffer.alloc(0);
  #packs: Uint32Array = new Uint32Array(0);
  #blocks: Float64Array = new Float64Array(0);
  #ats: Uint32Array = new Uint32Array(0);
  #lengths: Uint32Array = new Uint32Array(0);
  /** Row + 1; 0 is free. Always at least half empty. */
  #slots = new Uint32Array(1024);
  /** Further places of objects that are stored more than once, by row. There are few. */
  readonly #copies = new Map<number, Place[]>();
  readonly #names: string[] = [];
  readonly #probe = Buffer.alloc(HASH_BYTES);

  get size(): number {
    return this.#rows;
  }

  has(hash: Hash): boolean {
    return this.#find(hash) >= 0;
  }

  /** The place that was added first; null when there is none. */
  get(hash: Hash): Location | null {
    const row = this.#find(hash);
    return row < 0 ? null : this.#firstOf(row);
  }

  /** All places of an object, in the order in which they were added. */
  all(hash: Hash): Location[] {
    const row = this.#find(hash);
    if (row < 0) return [];
    const copies = (this.#copies.get(row) ?? []).map(({ pack, ...rest }) => ({
      pack: this.#names[pack] ?? "",
      ...rest,
    }));
    return [this.#firstOf(row), ...copies];
  }

  /** Objects that have more than one place. */
  *copied(): Generator<Hash> {
    for (const row of this.#copies.keys()) yield this.#hashOf(row);
  }

  /** How many objects are in each block, by pack and by where the block begins. */
  blocks(): Map<string, Map<number, number>> {
    const packs = this.#names.map(() => new Map<number, number>());
    const count = (pack: number, block: number): void => {
      const blocks = packs[pack];
      blocks?.set(block, (blocks.get(block) ?? 0) + 1);
    };
    for (let row = 0; row < this.#rows; row++)
      count(this.#packs[row] ?? 0, this.#blocks[row] ?? 0);
    for (const copies of this.#copies.values())
      for (const { pack, block } of copies) count(pack, block);
    return new Map(
      this.#names.map((name, at) => [
        name,
        packs[at] ?? new Map<number, number>(),
      ]),
    );
  }

  /** The packs are to be named first. */
  addPack(name: string): number {
    return this.#names.push(name) - 1;
  }

  add(
    hash: Hash,
    pack: number,
    block: number,
    at: number,
    length: number,
  ): void {
    if (this.#rows === this.#packs.length) this.#grow();
    putHash(this.#probe, hash, 0);
    const slot = this.#slotOf();
    const known = (this.#slots[slot] ?? 0) - 1;
    if (known >= 0) {
      const copies = this.#copies.get(known) ?? [];
      copies.push({ pack, block, at, length });
      this.#copies.set(known, copies);
      return;
    }
    const row = this.#rows++;
    this.#hashes.set(this.#probe, row * HASH_BYTES);
    this.#packs[row] = pack;
    this.#blocks[row] = block;
    this.#ats[row] = at;
    this.#lengths[row] = length;
    this.#slots[slot] = row + 1;
  }

  #firstOf(row: number): Location {
    return {
      pack: this.#names[this.#packs[row] ?? 0] ?? "",
      block: this.#blocks[row] ?? 0,
      at: this.#ats[row] ?? 0,
      length: this.#lengths[row] ?? 0,
    };
  }

  #hashOf(row: number): Hash {
    const start = row * HASH_BYTES;
    return this.#hashes.toString("hex", start, start + HASH_BYTES);
  }

  #find(hash: Hash): number {
    putHash(this.#probe, hash, 0);
    return (this.#slots[this.#slotOf()] ?? 0) - 1;
  }

  /** Where the probed hash is, or belongs. */
  #slotOf(): number {
    const mask = this.#slots.length - 1;
    for (let slot = this.#probe.readUInt32LE(0) & mask; ;) {
      const row = (this.#slots[slot] ?? 0) - 1;
      if (row < 0) return slot;
      const start = row * HASH_BYTES;
      const end = start + HASH_BYTES;
      if (this.#hashes.compare(this.#probe, 0, HASH_BYTES, start, end) === 0)
        return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const rows = Math.max(1024, this.#rows * 2);
    const hashes = Buffer.alloc(rows * HASH_BYTES);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#packs = larger(this.#packs, new Uint32Array(rows));
    this.#blocks = larger(this.#blocks, new Float64Array(rows));
    this.#ats = larger(this.#ats, new Uint32Array(rows));
    this.#lengths = larger(this.#lengths, new Uint32Array(rows));
    this.#slots = new Uint32Array(rows * 4);
    for (let row = 0; row < this.#rows; row++) {
      this.#hashes.copy(this.#probe, 0, row * HASH_BYTES);
      this.#slots[this.#slotOf()] = row + 1;
    }
  }
}

const larger = <T extends Uint32Array | Float64Array>(from: T, to: T): T => {
  to.set(from);
  return to;
};
