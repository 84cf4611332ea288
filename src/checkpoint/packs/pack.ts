/** A pack from its beginning to its seal. docs/spec/checkpoint-format.md, "Packs". */
import { crc32 } from "node:zlib";
import {
  BLOCK_MAGIC,
  bodyLength,
  decodeHeader,
  decodeTable,
  HEADER,
  tableLength,
  type BlockHeader,
  type Placed,
} from "../format/block.ts";
import type { Bytes, Draft, Readable, Stored } from "../bytes/bytes.ts";
import { VaultFailure } from "../format/failure.ts";

const MAGIC = "RPRSPACK";
const VERSION = 1;
export const PACK_HEADER = 16;
export const SEAL = 20;
const SEAL_MAGIC = 0x4c414553;

/** A block of a pack: where its header begins and what it holds. */
export interface BlockAt {
  offset: number;
  header: BlockHeader;
  placed: Placed[];
}

/** A pack with nothing in it yet, which leaves nothing behind when it cannot be begun. */
export const beginPack = async (
  bytes: Pick<Bytes, "draft">,
  name: string,
): Promise<{ draft: Draft; length: number }> => {
  const draft = await bytes.draft(name);
  try {
    await draft.append(packHeader());
  } catch (error) {
    await draft.discard();
    throw error;
  }
  return { draft, length: PACK_HEADER };
};

export const packHeader = (): Buffer => {
  const bytes = Buffer.alloc(PACK_HEADER);
  bytes.set(Buffer.from(MAGIC, "latin1"));
  bytes.writeUInt32LE(VERSION, 8);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 12)), 12);
  return bytes;
};

/** Ends a pack of so many blocks and bytes. */
export const packSeal = (blocks: number, length: number): Buffer => {
  const bytes = Buffer.alloc(SEAL);
  bytes.writeUInt32LE(SEAL_MAGIC, 0);
  bytes.writeUInt32LE(blocks, 4);
  bytes.writeBigUInt64LE(BigInt(length), 8);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 16)), 16);
  return bytes;
};

/**
 * The blocks of a pack in order, by their tables alone. `onDamage` is told where something cannot be read; then the next
 * header that is whole is looked for, and blocks behind the damage are found all the same.
 */
export async function* blocksOf(
  bytes: Readable,
  pack: Stored,
  onDamage: (failure: VaultFailure, offset: number) => void,
): AsyncGenerator<BlockAt> {
  const { name, size } = pack;
  let blocks: number | null = 0;
  try {
    checkHeader(await read(bytes, name, 0, Math.min(PACK_HEADER, size)), name);
  } catch (error) {
    const failure = damageIn(error);
    onDamage(failure, 0);
    if (failure.code === "unknown_version") return;
    blocks = null;
  }
  for (let offset = PACK_HEADER; ;) {
    try {
      const block = await blockAt(bytes, pack, offset, blocks);
      if (block === null) return;
      yield block;
      offset += HEADER + bodyLength(block.header);
      if (blocks !== null) blocks += 1;
    } catch (error) {
      onDamage(damageIn(error), offset);
      blocks = null;
      const next = await nextHeader(bytes, pack, offset + 1);
      if (next === null) return;
      offset = next;
    }
  }
}

/** A block with its content still packed: header, table, stored bytes. */
export const readBlock = async (
  bytes: Readable,
  name: string,
  offset: number,
): Promise<{ header: BlockHeader; body: Buffer }> => {
  const header = decodeHeader(await read(bytes, name, offset, HEADER));
  if (header === null)
    throw damaged(name, `the block at ${offset} cannot be read`);
  const body = await read(bytes, name, offset + HEADER, bodyLength(header));
  return { header, body };
};

/** Null at the seal. `blocks` is how many come before; null when that is not known because some were passed over. */
const blockAt = async (
  bytes: Readable,
  { name, size }: Stored,
  offset: number,
  blocks: number | null,
): Promise<BlockAt | null> => {
  const room = size - offset;
  const length = Math.max(0, Math.min(HEADER, room));
  const head = await read(bytes, name, offset, length);
  if (isSeal(head, blocks, offset) && room === SEAL) return null;
  const header = decodeHeader(head);
  if (header === null || HEADER + bodyLength(header) > room)
    throw damaged(name, `the block at ${offset} cannot be read`);
  const start = offset + HEADER;
  const table = await read(bytes, name, start, tableLength(header));
  return { offset, header, placed: decodeTable(header, table) };
};

/** How much is searched at once. */
const STRETCH = 256 * 1024;

/**
 * Where the next block begins, at this place or behind it; null when there is none. Content may look like a header (a
 * pack that somebody captured): what follows from that is compared with hashes like everything else.
 */
const nextHeader = async (
  bytes: Readable,
  { name, size }: Stored,
  from: number,
): Promise<number | null> => {
  for (let start = from; start + HEADER <= size; start += STRETCH) {
    const length = Math.min(STRETCH + HEADER - 1, size - start);
    // What the disk does not give is passed over as well.
    const found = await read(bytes, name, start, length).catch(damageIn);
    if (found instanceof VaultFailure) continue;
    for (let at = found.indexOf(BLOCK_MAGIC); at >= 0;) {
      const header = decodeHeader(found.subarray(at, at + HEADER));
      if (header !== null && start + at + HEADER + bodyLength(header) <= size)
        return start + at;
      at = found.indexOf(BLOCK_MAGIC, at + 1);
    }
  }
  return null;
};

/** What is no damage is an accident of another kind. */
const damageIn = (error: unknown): VaultFailure => {
  if (error instanceof VaultFailure) return error;
  throw error;
};

const checkHeader = (head: Buffer, name: string): void => {
  if (head.length < PACK_HEADER || head.toString("latin1", 0, 8) !== MAGIC)
    throw damaged(name, "it is no pack");
  if (crc32(head.subarray(0, 12)) !== head.readUInt32LE(12))
    throw damaged(name, "its header cannot be read");
  const version = head.readUInt32LE(8);
  if (version !== VERSION)
    throw new VaultFailure(
      "unknown_version",
      `${name} is of version ${version}`,
    );
};

const isSeal = (head: Buffer, blocks: number | null, length: number): boolean =>
  head.length >= SEAL &&
  head
    .subarray(0, SEAL)
    .equals(packSeal(blocks ?? head.readUInt32LE(4), length));

const read = async (
  bytes: Readable,
  name: string,
  offset: number,
  length: number,
): Promise<Buffer> => {
  const got = await bytes.read(name, offset, length);
  return Buffer.from(got.buffer, got.byteOffset, got.length);
};

const damaged = (name: string, what: string): VaultFailure =>
  new VaultFailure("damaged", `${name}: ${what}`);
