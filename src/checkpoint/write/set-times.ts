import { futimesSync, lutimesSync } from "node:fs";
import { cFunctions } from "../../kit/c-library.ts";
import { fsPath, type ByteString } from "../format/byte-string.ts";
import type { Mtime } from "../format/entry.ts";

/**
 * Node sets times as floating-point seconds, a tenth of a microsecond off at best. The C library sets them exactly;
 * where it cannot be called, near enough has to do.
 */
interface Exactly {
  path(path: Buffer, times: Buffer): number;
  file(file: number, times: Buffer): number;
  fifo(path: Buffer, mode: number): number;
}

const AT_FDCWD = process.platform === "darwin" ? -2 : -100;
const AT_SYMLINK_NOFOLLOW = process.platform === "darwin" ? 0x20 : 0x100;

/** Sets when a path, which may be a link, was last changed. */
export const setPathTime = (path: ByteString, mtime: Mtime): void => {
  if (library?.path(cString(path), spec(mtime)) === 0) return;
  const seconds = inSeconds(mtime);
  lutimesSync(fsPath(path), seconds, seconds);
};

export const setFileTime = (file: number, mtime: Mtime): void => {
  if (library?.file(file, spec(mtime)) === 0) return;
  const seconds = inSeconds(mtime);
  futimesSync(file, seconds, seconds);
};

/** False when it cannot be made here. */
export const makeFifo = (path: ByteString, mode: number): boolean =>
  library?.fifo(cString(path), mode) === 0;

const load = (): Exactly | null => {
  const functions = cFunctions({
    utimensat: {
      arguments: ["i32", "buffer", "buffer", "i32"],
      return: "i32",
    },
    futimens: { arguments: ["i32", "buffer"], return: "i32" },
    mkfifo: { arguments: ["buffer", "u32"], return: "i32" },
  });
  if (functions === null) return null;
  return {
    path: (path, times) =>
      functions.utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW),
    file: (file, times) => functions.futimens(file, times),
    fifo: (path, mode) => functions.mkfifo(path, mode),
  };
};

/** Two `timespec`s: last read, last changed. */
const spec = ({ seconds, nanoseconds }: Mtime): Buffer => {
  times[0] = times[2] = BigInt(seconds);
  times[1] = times[3] = BigInt(nanoseconds);
  return timesBytes;
};

const times = new BigInt64Array(4);
const timesBytes = Buffer.from(times.buffer);

const cString = (path: ByteString): Buffer =>
  Buffer.from(`${path}\0`, "latin1");

const inSeconds = ({ seconds, nanoseconds }: Mtime): number =>
  seconds + nanoseconds / 1e9;

const library = load();
