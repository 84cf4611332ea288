import type { ObjectKind } from "../format/block.ts";
import { hashOf, type Hash } from "../format/hash.ts";
import type { ObjectSource } from "./objects.ts";

/** Where objects go while a directory is looked through. */
export interface Sink {
  /** Room for so many bytes, to be filled before anything else is asked. */
  room(length: number): Buffer;
  /** Takes the first so many bytes of that room. */
  keep(length: number): Hash;
  add(kind: ObjectKind, bytes: Uint8Array): Hash;
  /** Resolves when there may be more. */
  pace(): Promise<void>;
}

/** Keeps directories in memory and nothing else: enough to see what differs. */
export class Sketch implements Sink, ObjectSource {
  readonly #objects = new Map<Hash, Buffer>();
  readonly #beneath: ObjectSource;
  #room = Buffer.alloc(0);

  /** Directories that did not change are found beneath. */
  constructor(beneath: ObjectSource) {
    this.#beneath = beneath;
  }

  room(length: number): Buffer {
    if (this.#room.length < length) this.#room = Buffer.allocUnsafe(length);
    return this.#room.subarray(0, length);
  }

  keep(length: number): Hash {
    return hashOf(this.#room.subarray(0, length));
  }

  add(_kind: ObjectKind, bytes: Uint8Array): Hash {
    const hash = hashOf(bytes);
    this.#objects.set(hash, Buffer.from(bytes));
    return hash;
  }

  async pace(): Promise<void> {}

  async object(hash: Hash): Promise<Buffer> {
    return this.#objects.get(hash) ?? (await this.#beneath.object(hash));
  }
}
