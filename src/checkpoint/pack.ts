/** A pack from its beginning to its seal. docs/spec/checkpoint-format.md, "Packs". */
import { crc32 } from "node:zlib";
import {
  bodyLength,
  decodeHeader,
  decodeTable,
  HEADER,
  tableLength,
  type BlockHeader,
  type Placed,
} from "./block.ts";
import type { Bytes, Draft, Readable, Stored } from "./bytes/bytes.ts";
import { VaultFailure } from "./failure.ts";

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
  bytes: Bytes,
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
 * The blocks of a pack in order, by their tables alone. `onDamage` hears where reading stopped: what stands before
 * is good, and blocks behind a damaged header cannot be found.
 */
export async function* blocksOf(
  bytes: Readable,
  { name, size }: Stored,
  onDamage: (failure: VaultFailure) => void,
): AsyncGenerator<BlockAt> {
  try {
    checkHeader(await read(bytes, name, 0, Math.min(PACK_HEADER, size)), name);
    let blocks = 0;
    for (let offset = PACK_HEADER; ; blocks++) {
      const room = size - offset;
      const head = await read(bytes, name, offset, Math.min(HEADER, room));
      if (isSeal(head, blocks, offset) && room === SEAL) return;
      const header = decodeHeader(head);
      if (header === null || HEADER + bodyLength(header) > room)
        throw damaged(name, `the block at ${offset} cannot be read`);
      const table = await read(
        bytes,
        name,
        offset + HEADER,
        tableLength(header),
      );
      yield { offset, header, placed: decodeTable(header, table) };
      offset += HEADER + bodyLength(header);
    }
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error;
    onDamage(error);
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

const isSeal = (head: Buffer, blocks: number, length: number): boolean =>
  head.length >= SEAL &&
  head.subarray(0, SEAL).equals(packSeal(blocks, length));

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
