import { HASH_BYTES, type Hash } from "./hash.ts";
import { putHash } from "./wire.ts";

/** Where an object is. */
export interface Location {
  pack: string;
  /** Where its block begins in the pack. */
  block: number;
  /** Where it begins in the block's content. */
  at: number;
  length: number;
}

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
  readonly #names: string[] = [];
  readonly #probe = Buffer.alloc(HASH_BYTES);

  get size(): number {
    return this.#rows;
  }

  has(hash: Hash): boolean {
    return this.#find(hash) >= 0;
  }

  get(hash: Hash): Location | null {
    const row = this.#find(hash);
    if (row < 0) return null;
    return {
      pack: this.#names[this.#packs[row] ?? 0] ?? "",
      block: this.#blocks[row] ?? 0,
      at: this.#ats[row] ?? 0,
      length: this.#lengths[row] ?? 0,
    };
  }

  /** The packs are to be named first. Of several places for one object the first one stays. */
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
    if (this.#slots[slot] !== 0) return;
    const row = this.#rows++;
    this.#hashes.set(this.#probe, row * HASH_BYTES);
    this.#packs[row] = pack;
    this.#blocks[row] = block;
    this.#ats[row] = at;
    this.#lengths[row] = length;
    this.#slots[slot] = row + 1;
  }

  *hashes(): Generator<Hash> {
    for (let row = 0; row < this.#rows; row++)
      yield this.#hashes.toString(
        "hex",
        row * HASH_BYTES,
        (row + 1) * HASH_BYTES,
      );
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
