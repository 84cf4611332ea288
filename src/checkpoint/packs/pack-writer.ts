import { randomBytes } from "node:crypto";
import {
  BLOCK,
  encodeBlock,
  MAX_OBJECTS,
  MAX_RAW,
  type ObjectKind,
  type Placed,
} from "../format/block.ts";
import type { Bytes, Draft } from "../bytes/bytes.ts";
import { PIECE } from "../format/entry.ts";
import { VaultFailure } from "../format/failure.ts";
import { hashOf, type Hash } from "../format/hash.ts";
import type { IndexedBlock } from "./index-file.ts";
import type { Objects } from "./objects.ts";
import { beginPack, packSeal } from "./pack.ts";
import type { SharedHashes } from "./shared-hashes.ts";
import type { Sink } from "./sink.ts";
import { Room } from "../format/zstd.ts";

/** A pack is sealed when it is this long, so that what is interrupted has not been done in vain. */
const PACK = 64 * 1024 * 1024;

/** Where packs go, and who is told of them. */
export interface PackTarget extends Pick<Objects, "has" | "learn"> {
  bytes: Pick<Bytes, "draft">;
}

/** Takes objects and writes packs of them: content and directories in blocks of their own. */
export class PackWriter implements Sink {
  readonly #objects: PackTarget;
  readonly #shared: Shared | null;
  readonly #data = new OpenBlock();
  readonly #trees = new OpenBlock();
  /** What is on its way and not yet in the index. */
  readonly #taken = new Set<Hash>();
  /** Blocks that are full, in the order in which they are written. */
  readonly #full: FullBlock[] = [];
  /** Rooms to be filled again: megabytes that come and go keep the garbage collector busy. */
  readonly #spare: Buffer[] = [];
  readonly #packed = new Room();
  #pack: OpenPack | null = null;
  #newBytes = 0;
  #packBytes = 0;

  /** What others say to have taken in `shared` is left to them. */
  constructor(objects: PackTarget, shared: Shared | null = null) {
    this.#objects = objects;
    this.#shared = shared;
  }

  /** What was written, compressed. */
  get newBytes(): number {
    return this.#newBytes;
  }

  /** What the sealed packs take, all of them together. */
  get packBytes(): number {
    return this.#packBytes;
  }

  room(length: number): Buffer {
    return this.#data.room(length);
  }

  keep(length: number): Hash {
    const hash = hashOf(this.#data.room(length).subarray(0, length));
    if (this.#isNew(hash)) this.#take(this.#data, "data", hash, length);
    return hash;
  }

  add(kind: ObjectKind, bytes: Uint8Array): Hash {
    const hash = hashOf(bytes);
    if (this.#isNew(hash)) this.copy(kind, hash, bytes);
    return hash;
  }

  /** Takes an object that may well be in another pack. */
  copy(kind: ObjectKind, hash: Hash, bytes: Uint8Array): void {
    if (this.#taken.has(hash)) return;
    const block = kind === "data" ? this.#data : this.#trees;
    block.room(bytes.length).set(bytes);
    this.#take(block, kind, hash, bytes.length);
  }

  async pace(): Promise<void> {
    for (;;) {
      const next = this.#full.shift();
      if (next === undefined) return;
      await this.#write(next);
    }
  }

  /** Resolves when everything is durable. */
  async finish(): Promise<void> {
    for (const block of [this.#data, this.#trees])
      if (!block.isEmpty) this.#close(block);
    await this.pace();
    await this.#seal();
  }

  /** Gives up what is not in a sealed pack. */
  async discard(): Promise<void> {
    await this.#pack?.draft.discard();
    this.#pack = null;
  }

  #isNew(hash: Hash): boolean {
    if (this.#taken.has(hash) || this.#objects.has(hash)) return false;
    return this.#shared === null || this.#shared.take(hash);
  }

  #take(block: OpenBlock, kind: ObjectKind, hash: Hash, length: number): void {
    // Whatever may be in the block already: what is longer could be written, and never be read.
    if (length > MAX_RAW - BLOCK)
      throw new VaultFailure(
        "too_large",
        `a directory holds more names than a checkpoint can (its list takes ${Math.ceil(length / 1024 ** 2)} MiB): name it in a file .repriseignore`,
      );
    block.take(kind, hash, length);
    this.#taken.add(hash);
    if (block.isFull) this.#close(block);
  }

  #close(block: OpenBlock): void {
    this.#full.push(block.empty(this.#spare.pop() ?? newRoom()));
  }

  async #write({ placed, raw }: FullBlock): Promise<void> {
    this.#pack ??= await this.#begin();
    const pack = this.#pack;
    pack.blocks.push({ offset: pack.length, placed });
    for (const part of encodeBlock(placed, raw, this.#packed)) {
      await pack.draft.append(part);
      pack.length += part.length;
      this.#newBytes += part.length;
    }
    this.#spare.push(Buffer.from(raw.buffer, raw.byteOffset));
    if (pack.length >= PACK) await this.#seal();
  }

  async #begin(): Promise<OpenPack> {
    const name = `${randomBytes(16).toString("hex")}.pack`;
    const begun = await beginPack(this.#objects.bytes, name);
    return { name, ...begun, blocks: [] };
  }

  async #seal(): Promise<void> {
    const pack = this.#pack;
    if (pack === null) return;
    const seal = packSeal(pack.blocks.length, pack.length);
    await pack.draft.append(seal);
    await pack.draft.seal();
    this.#pack = null;
    const size = pack.length + seal.length;
    this.#packBytes += size;
    this.#objects.learn(pack.name, size, pack.blocks);
  }
}

type Shared = Pick<SharedHashes, "take">;

interface OpenPack {
  name: string;
  draft: Draft;
  length: number;
  blocks: IndexedBlock[];
}

interface FullBlock {
  placed: Placed[];
  raw: Buffer;
}

/** A block that is being filled. */
class OpenBlock {
  #buffer = newRoom();
  #placed: Placed[] = [];
  #length = 0;

  get isEmpty(): boolean {
    return this.#placed.length === 0;
  }

  get isFull(): boolean {
    return this.#length >= BLOCK || this.#placed.length === MAX_OBJECTS;
  }

  /** There is always room for one piece, and one byte more to see whether it goes on. */
  room(length: number): Buffer {
    if (this.#length + length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(this.#length + length);
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    return this.#buffer.subarray(this.#length, this.#length + length);
  }

  take(kind: ObjectKind, hash: Hash, length: number): void {
    this.#placed.push({ hash, kind, at: this.#length, length });
    this.#length += length;
  }

  /** Hands over what is in it, and goes on with another room. */
  empty(room: Buffer): FullBlock {
    const raw = this.#buffer.subarray(0, this.#length);
    const placed = this.#placed;
    this.#placed = [];
    this.#length = 0;
    this.#buffer = room;
    return { placed, raw };
  }
}

const newRoom = (): Buffer => Buffer.allocUnsafeSlow(BLOCK + PIECE + 1);
