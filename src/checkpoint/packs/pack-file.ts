import {
  BLOCK,
  encodeBlock,
  MAX_OBJECTS,
  type ObjectKind,
  type Placed,
} from "../format/block.ts";
import type { Bytes, Draft } from "../bytes/bytes.ts";
import { hashOf, type Hash } from "../format/hash.ts";
import { beginPack, packSeal } from "./pack.ts";
import { Room } from "../format/zstd.ts";

/** One pack of any length, filled from one end: how an archive is written. */
export class PackFile {
  readonly #draft: Draft;
  readonly #known = new Set<Hash>();
  readonly #packed = new Room();
  #placed: Placed[] = [];
  #parts: Uint8Array[] = [];
  #raw = 0;
  #blocks = 0;
  #length: number;

  private constructor(draft: Draft, length: number) {
    this.#draft = draft;
    this.#length = length;
  }

  static async begin(bytes: Bytes, name: string): Promise<PackFile> {
    const { draft, length } = await beginPack(bytes, name);
    return new PackFile(draft, length);
  }

  async add(kind: ObjectKind, hash: Hash, bytes: Uint8Array): Promise<void> {
    if (this.#known.has(hash)) return;
    this.#known.add(hash);
    this.#placed.push({ hash, kind, at: this.#raw, length: bytes.length });
    this.#parts.push(bytes);
    this.#raw += bytes.length;
    if (this.#raw >= BLOCK || this.#placed.length === MAX_OBJECTS)
      await this.#close();
  }

  async addNew(kind: ObjectKind, bytes: Uint8Array): Promise<Hash> {
    const hash = hashOf(bytes);
    await this.add(kind, hash, bytes);
    return hash;
  }

  /** Resolves with its length when it is durable. */
  async seal(): Promise<number> {
    await this.#close();
    await this.#append(packSeal(this.#blocks, this.#length));
    await this.#draft.seal();
    return this.#length;
  }

  discard(): Promise<void> {
    return this.#draft.discard();
  }

  async #close(): Promise<void> {
    if (this.#placed.length === 0) return;
    const raw = Buffer.concat(this.#parts);
    const parts = encodeBlock(this.#placed, raw, this.#packed);
    this.#placed = [];
    this.#parts = [];
    this.#raw = 0;
    this.#blocks += 1;
    for (const part of parts) await this.#append(part);
  }

  async #append(bytes: Uint8Array): Promise<void> {
    await this.#draft.append(bytes);
    this.#length += bytes.length;
  }
}
