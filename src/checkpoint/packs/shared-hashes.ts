import { HASH_BYTES, type Hash } from "../format/hash.ts";
import { putHash } from "../format/wire.ts";

/** Words of a slot: its state, then the hash. */
const WORDS = 1 + HASH_BYTES / 4;
const FREE = 0;
const BEING_WRITTEN = 1;
const WRITTEN = 2;
/** For twice as many objects as a large workspace has. What does not find room is stored once by each thread. */
const SLOTS = 1 << 18;
const MAX_STEPS = 64;

/** Objects that several threads have taken, so that each is stored by one of them. An open hash table that they share. */
export class SharedHashes {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #probe = Buffer.alloc(HASH_BYTES);
  readonly #wanted: Int32Array;

  constructor(memory = new SharedArrayBuffer(SLOTS * WORDS * 4)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
    const { buffer, byteOffset } = this.#probe;
    this.#wanted = new Int32Array(buffer, byteOffset, HASH_BYTES / 4);
  }

  /** False when another thread has taken it. */
  take(hash: Hash): boolean {
    putHash(this.#probe, hash, 0);
    let slot = this.#probe.readUInt32LE(0);
    for (let step = 0; step < MAX_STEPS; step += 1, slot += 1) {
      const at = (slot % SLOTS) * WORDS;
      if (
        Atomics.compareExchange(this.#words, at, FREE, BEING_WRITTEN) === FREE
      ) {
        this.#words.set(this.#wanted, at + 1);
        Atomics.store(this.#words, at, WRITTEN);
        return true;
      }
      // Whoever writes needs a moment, no more.
      while (Atomics.load(this.#words, at) === BEING_WRITTEN);
      if (this.#isAt(at + 1)) return false;
    }
    return true;
  }

  #isAt(at: number): boolean {
    return this.#wanted.every((word, i) => word === this.#words[at + i]);
  }
}
