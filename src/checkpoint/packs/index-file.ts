/** What a pack holds, kept beside the stat caches so that packs need not be read for it. Made anew when it is gone. */
import type { Placed } from "../format/block.ts";
import { objectKinds } from "../format/block.ts";
import type { Stored } from "../bytes/bytes.ts";
import { HASH_BYTES } from "../format/hash.ts";
import { readLocal, writeLocal } from "../files/local-file.ts";
import type { PackIndex } from "./pack-index.ts";
import { ByteWriter } from "../format/wire.ts";

const VERSION = 2;
const HEAD = 16;
const ROW = HASH_BYTES + 8 + 4 + 4 + 1;

/** A block by what it holds. */
export interface IndexedBlock {
  offset: number;
  placed: readonly Placed[];
}

export const writeIndexFile = (
  path: string,
  size: number,
  blocks: readonly IndexedBlock[],
): void => {
  const out = new ByteWriter(HEAD + blocks.length * 64 * ROW);
  out.u32(VERSION);
  out.u32(blocks.reduce((sum, { placed }) => sum + placed.length, 0));
  out.i64(size);
  for (const { offset, placed } of blocks)
    for (const { hash, kind, at, length } of placed) {
      out.hash(hash);
      out.i64(offset);
      out.u32(at);
      out.u32(length);
      out.u8(objectKinds.indexOf(kind));
    }
  writeLocal(path, [out.bytes()]);
};

/** Adds the pack's objects; false when the file is not there, or is not about a pack of this size. */
export const addIndexFile = (
  path: string,
  { name, size }: Stored,
  index: PackIndex,
): boolean => {
  const bytes = readLocal(path);
  if (bytes === null || bytes.length < HEAD) return false;
  const count = bytes.readUInt32LE(4);
  if (bytes.readUInt32LE(0) !== VERSION || bytes.length !== HEAD + count * ROW)
    return false;
  if (Number(bytes.readBigInt64LE(8)) !== size) return false;
  const number = index.addPack(name);
  for (let row = HEAD; row < bytes.length; row += ROW) {
    const rest = row + HASH_BYTES;
    index.add(
      bytes.toString("hex", row, rest),
      number,
      Number(bytes.readBigInt64LE(rest)),
      bytes.readUInt32LE(rest + 8),
      bytes.readUInt32LE(rest + 12),
    );
  }
  return true;
};
