import { closeSync, openSync, readSync } from "node:fs";
import { hasErrno } from "../../../kit/errno.ts";

const HEADER_BYTES = 32;
/** The magic's last bit says in which order the bytes of a checksum's words come. */
const MAGIC = 0x377f0682;

/**
 * Whether the database's write-ahead log can be one. SQLite takes a log with a damaged header for an empty one and goes
 * on without it, and with it would go everything that was acknowledged since it was last folded into the database.
 * A header of zeros is none yet: it is flushed before the first commit.
 */
export const hasReadableLog = (database: string): boolean => {
  const header = headerOf(`${database}-wal`);
  if (header === null || header.every((byte) => byte === 0)) return true;
  const magic = header.readUInt32BE(0);
  if (magic !== MAGIC && magic !== (MAGIC | 1)) return false;
  const [first, second] = checksum(header.subarray(0, 24), magic === MAGIC);
  return (
    first === header.readUInt32BE(24) && second === header.readUInt32BE(28)
  );
};

/** Null when there is none, or not a whole one. */
const headerOf = (path: string): Buffer | null => {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return readSync(file, header) === HEADER_BYTES ? header : null;
  } finally {
    closeSync(file);
  }
};

const checksum = (bytes: Buffer, littleEndian: boolean): [number, number] => {
  let [first, second] = [0, 0];
  const word = (at: number): number =>
    littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + word(at) + second) >>> 0;
    second = (second + word(at + 4) + first) >>> 0;
  }
  return [first, second];
};
