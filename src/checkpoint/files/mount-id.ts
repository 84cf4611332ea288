import { readFileSync } from "node:fs";
import { cFunctions } from "../../kit/c-library.ts";

/**
 * Which mount an open file or directory belongs to; null where the system does not say. Device numbers do not tell: what
 * is mounted a second time elsewhere has the number that it has at home.
 */
export const mountIdOf = (file: number): bigint | null =>
  statx === null ? fromText(file) : statx(file);

/** Slower, and known to older kernels. */
const fromText = (file: number): bigint | null => {
  try {
    const text = readFileSync(`/proc/self/fdinfo/${file}`, "latin1");
    const id = /^mnt_id:\s*(\d+)$/m.exec(text)?.[1];
    return id === undefined ? null : BigInt(id);
  } catch {
    return null;
  }
};

const AT_EMPTY_PATH = 0x1000;
const STATX_MNT_ID = 0x1000;
/** Where the id is in what `statx` tells. */
const MNT_ID = 0x90;
const STATX_BYTES = 256;

const load = (): ((file: number) => bigint | null) | null => {
  if (process.platform !== "linux") return null;
  const library = cFunctions({
    statx: {
      arguments: ["i32", "buffer", "i32", "u32", "buffer"],
      return: "i32",
    },
  });
  if (library === null) return null;
  const told = Buffer.alloc(STATX_BYTES);
  const itself = Buffer.from("\0");
  return (file) => {
    const failed =
      library.statx(file, itself, AT_EMPTY_PATH, STATX_MNT_ID, told) !== 0;
    const isTold = (told.readUInt32LE(0) & STATX_MNT_ID) !== 0;
    return failed || !isTold ? fromText(file) : told.readBigUInt64LE(MNT_ID);
  };
};

const statx = load();
