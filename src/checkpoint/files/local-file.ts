import { randomBytes } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { crashPoint } from "../../kit/crash-point.ts";
import { hasErrno } from "../../kit/errno.ts";

const TRAILER = 4;
const DRAFT = ".draft";

/**
 * Writes what can be made anew: whole or not at all, but not flushed. Its last bytes are a checksum, so that what a
 * power failure makes of it is known for what it is. Where it cannot be written, it is made anew the next time.
 */
export const writeLocal = (
  path: string,
  parts: readonly Uint8Array[],
): void => {
  const sum = Buffer.alloc(TRAILER);
  sum.writeUInt32LE(parts.reduce((sum, part) => crc32(part, sum), 0));
  // Two threads may write the same one.
  const draft = `${path}.${randomBytes(4).toString("hex")}${DRAFT}`;
  try {
    makeFolder(dirname(path));
    writeFileSync(draft, Buffer.concat([...parts, sum]), { mode: 0o600 });
    crashPoint("checkpoint.local.written");
    renameSync(draft, path);
    crashPoint("checkpoint.local.placed");
  } catch {
    removeLocal(draft);
  }
};

/** Null when it is not there, or not whole. */
export const readLocal = (path: string): Buffer | null => {
  const bytes = tryRead(path);
  if (bytes === null || bytes.length < TRAILER) return null;
  const body = bytes.subarray(0, -TRAILER);
  return crc32(body) === bytes.readUInt32LE(body.length) ? body : null;
};

export const removeLocal = (path: string): void =>
  rmSync(path, { force: true });

/** Removes what a crash left unfinished. Only when nobody is writing. */
export const sweepLocal = (folder: string): void => {
  makeFolder(folder);
  for (const name of readdirSync(folder))
    if (name.endsWith(DRAFT)) removeLocal(join(folder, name));
};

/** Only this one: the cache of a home that was moved away must not make a new home in its place. */
const makeFolder = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) throw error;
  }
};

const tryRead = (path: string): Buffer | null => {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
};
