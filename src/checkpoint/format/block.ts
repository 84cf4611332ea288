/** A block of a pack: many objects, compressed as one. docs/spec/checkpoint-format.md, "Packs". */
import { crc32 } from "node:zlib";
import { VaultFailure } from "./failure.ts";
import { HASH_BYTES, hashOf, type Hash } from "./hash.ts";
import { ByteWriter } from "./wire.ts";
import { compress, decompress, type Room } from "./zstd.ts";

export const objectKinds = ["data", "tree", "pieces", "manifest"] as const;
export type ObjectKind = (typeof objectKinds)[number];

/** An object in its block. */
export interface Placed {
  hash: Hash;
  kind: ObjectKind;
  /** Where it begins in the block's content. */
  at: number;
  length: number;
}

export interface BlockHeader {
  compressed: boolean;
  /** The content, as it was and as it is stored. */
  rawLength: number;
  storedLength: number;
  count: number;
  checksum: number;
}

/** A block is closed when it holds this much. */
export const BLOCK = 1024 * 1024;
/** A block of many small objects is closed before. */
export const MAX_OBJECTS = 1 << 14;
/** The most a block may hold, so that nobody is made to unpack more: a directory with half a million names. */
export const MAX_RAW = 64 * 1024 * 1024;

export const HEADER = 28;
const ROW = HASH_BYTES + 5;
export const BLOCK_MAGIC = Buffer.from("RBLK", "latin1");
const MAGIC = BLOCK_MAGIC.readUInt32LE(0);

/** The parts of a block, ready to be appended one after the other while nobody else uses the room. */
export const encodeBlock = (
  placed: readonly Placed[],
  raw: Uint8Array,
  room: Room,
): Uint8Array[] => {
  const packed = compress(raw, room);
  const compressed = packed.length < raw.length - raw.length / 64;
  const stored = compressed ? packed : raw;
  const table = new ByteWriter(placed.length * ROW);
  for (const { hash, kind, length } of placed) {
    table.hash(hash);
    table.u8(objectKinds.indexOf(kind));
    table.u32(length);
  }
  const checksum = crc32(stored, crc32(table.bytes()));
  const header = {
    compressed,
    rawLength: raw.length,
    storedLength: stored.length,
    count: placed.length,
    checksum,
  };
  return [encodeHeader(header), table.bytes(), stored];
};

/** Null when no block begins here. */
export const decodeHeader = (bytes: Buffer): BlockHeader | null => {
  if (bytes.length < HEADER || bytes.readUInt32LE(0) !== MAGIC) return null;
  if (crc32(bytes.subarray(0, HEADER - 4)) !== bytes.readUInt32LE(HEADER - 4))
    return null;
  const header = {
    compressed: bytes.readUInt32LE(4) === 1,
    rawLength: bytes.readUInt32LE(8),
    storedLength: bytes.readUInt32LE(12),
    count: bytes.readUInt32LE(16),
    checksum: bytes.readUInt32LE(20),
  };
  const { rawLength, storedLength, count } = header;
  const possible =
    rawLength <= MAX_RAW && storedLength <= MAX_RAW && count <= MAX_OBJECTS;
  return possible ? header : null;
};

/** What follows the header. */
export const bodyLength = ({ count, storedLength }: BlockHeader): number =>
  count * ROW + storedLength;

export const tableLength = ({ count }: BlockHeader): number => count * ROW;

/** What a block holds. The lengths must add up to its content. */
export const decodeTable = (header: BlockHeader, table: Buffer): Placed[] => {
  const placed: Placed[] = [];
  let at = 0;
  for (let row = 0; row < header.count * ROW; row += ROW) {
    const kind = objectKinds[table.readUInt8(row + HASH_BYTES)];
    const length = table.readUInt32LE(row + HASH_BYTES + 1);
    if (kind === undefined) throw damaged("an object of an unknown kind");
    placed.push({
      hash: table.toString("hex", row, row + HASH_BYTES),
      kind,
      at,
      length,
    });
    at += length;
  }
  if (at !== header.rawLength) throw damaged("lengths that do not add up");
  return placed;
};

/** The content of a block, from what follows its header. */
export const decodeBody = (header: BlockHeader, body: Buffer): Buffer => {
  const stored = checked(header, body);
  return header.compressed ? unpacked(header, stored) : stored;
};

/**
 * The same where the checksum may be wrong: a few bytes of a block may be damaged, and each object in it is compared with
 * its hash anyway.
 */
export const decodeDoubtfulBody = (
  header: BlockHeader,
  body: Buffer,
): Buffer => {
  const stored = body.subarray(tableLength(header));
  return header.compressed ? unpacked(header, stored) : stored;
};

/** The object's bytes, if they are what its name says. */
export const objectIn = (raw: Buffer, placed: Omit<Placed, "kind">): Buffer => {
  const bytes = raw.subarray(placed.at, placed.at + placed.length);
  if (hashOf(bytes) !== placed.hash)
    throw damaged(`object ${placed.hash.slice(0, 12)} is not what it was`);
  return bytes;
};

const encodeHeader = (header: BlockHeader): Buffer => {
  const bytes = Buffer.alloc(HEADER);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(header.compressed ? 1 : 0, 4);
  bytes.writeUInt32LE(header.rawLength, 8);
  bytes.writeUInt32LE(header.storedLength, 12);
  bytes.writeUInt32LE(header.count, 16);
  bytes.writeUInt32LE(header.checksum, 20);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, HEADER - 4)), HEADER - 4);
  return bytes;
};

const checked = (header: BlockHeader, body: Buffer): Buffer => {
  if (crc32(body) !== header.checksum) throw damaged("a wrong checksum");
  const stored = body.subarray(tableLength(header));
  if (!header.compressed && stored.length !== header.rawLength)
    throw damaged("content of a wrong length");
  return stored;
};

const unpacked = ({ rawLength }: BlockHeader, stored: Buffer): Buffer => {
  try {
    return decompress(stored, rawLength);
  } catch (error) {
    throw damaged("content that cannot be unpacked", error);
  }
};

const damaged = (what: string, cause?: unknown): VaultFailure =>
  new VaultFailure("damaged", `a block has ${what}`, { cause });
