/**
 * Zstandard, at the level that costs least. Node has it, but makes a new context, and room for the most there could be,
 * for every block: called directly, the library keeps both. Where it cannot be called, Node's way has to do.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { cFunctions } from "../../kit/c-library.ts";

const LEVEL = 1;

interface Zstd {
  /** What comes back may lie in the room. */
  compress(raw: Uint8Array, room: Room): Uint8Array;
  /** Throws when it is damaged, or does not unpack to this length. */
  decompress(packed: Uint8Array, length: number): Buffer;
}

/** Memory for one result after the other: megabytes that come and go keep the garbage collector busy. */
export class Room {
  #bytes = Buffer.alloc(0);

  /** Ends the use of what was there before. */
  of(length: number): Buffer {
    if (this.#bytes.length < length)
      this.#bytes = Buffer.allocUnsafeSlow(length);
    return this.#bytes;
  }
}

export const compress = (raw: Uint8Array, room: Room): Uint8Array =>
  zstd().compress(raw, room);

export const decompress = (packed: Uint8Array, length: number): Buffer =>
  zstd().decompress(packed, length);

/** What content that does not compress takes at most. */
const maxPacked = (length: number): number => length + (length >> 8) + 128;

/** Null where it cannot be called. */
export const zstdOfLibrary = (): Zstd | null => {
  const library = cFunctions({
    ZSTD_createCCtx: { arguments: [], return: "pointer" },
    ZSTD_createDCtx: { arguments: [], return: "pointer" },
    ZSTD_compressCCtx: {
      arguments: ["pointer", "buffer", "u64", "buffer", "u64", "i32"],
      return: "u64",
    },
    ZSTD_decompressDCtx: {
      arguments: ["pointer", "buffer", "u64", "buffer", "u64"],
      return: "u64",
    },
    ZSTD_isError: { arguments: ["u64"], return: "u32" },
  });
  if (library === null) return null;
  const lengthOf = (result: number | bigint): number => {
    if (library.ZSTD_isError(result) !== 0) throw new Error("it is damaged");
    return Number(result);
  };
  const packer = library.ZSTD_createCCtx();
  const unpacker = library.ZSTD_createDCtx();
  if (packer === null || unpacker === null) return null;
  return {
    compress: (raw, room) => {
      const into = room.of(maxPacked(raw.length));
      const length = lengthOf(
        library.ZSTD_compressCCtx(
          packer,
          into,
          into.length,
          raw,
          raw.length,
          LEVEL,
        ),
      );
      return into.subarray(0, length);
    },
    decompress: (packed, length) => {
      const raw = Buffer.allocUnsafeSlow(length);
      const got = lengthOf(
        library.ZSTD_decompressDCtx(
          unpacker,
          raw,
          length,
          packed,
          packed.length,
        ),
      );
      if (got !== length) throw new Error("it has another length");
      return raw;
    },
  };
};

export const zstdOfNode: Zstd = {
  compress: (raw) =>
    zstdCompressSync(raw, {
      params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
      pledgedSrcSize: raw.length,
      chunkSize: maxPacked(raw.length),
    }),
  decompress: (packed, length) => {
    // One byte more than is right is enough to see that it is wrong.
    const raw = zstdDecompressSync(packed, {
      maxOutputLength: length + 1,
      chunkSize: Math.max(LEAST_CHUNK, length),
    });
    if (raw.length !== length) throw new Error("it has another length");
    return raw;
  },
};

/** Node allows no less. */
const LEAST_CHUNK = 64;

/** Loaded when it is needed: most who could call it never do. */
const zstd = (): Zstd => (loaded ??= zstdOfLibrary() ?? zstdOfNode);
let loaded: Zstd | null = null;
