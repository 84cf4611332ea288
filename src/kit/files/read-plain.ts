import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { hasErrno } from "../errno.ts";
import { UnusableFile } from "./unusable-file.ts";

const OPEN = constants.O_RDONLY | constants.O_NONBLOCK;

interface How {
  /** Somebody else's files may be links: many people keep their settings elsewhere. What is behind the link must be plain. */
  follow?: boolean;
}

/** Opens a plain file for reading. Whatever else has its name (a FIFO, a device, a directory) is refused and never waited for. */
export const openPlain = async (
  path: string | Buffer,
  { follow = false }: How = {},
): Promise<FileHandle> => {
  const file = await open(path, follow ? OPEN : OPEN | constants.O_NOFOLLOW);
  try {
    if ((await file.stat()).isFile()) return file;
    throw new UnusableFile("not_plain", `${String(path)} is no plain file`);
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** All that an open file holds; refused where that is more than so many bytes. */
export const readWhole = async (
  file: FileHandle,
  path: string | Buffer,
  maxBytes: number,
): Promise<Buffer> => {
  const { size } = await file.stat();
  const pieces: Buffer[] = [];
  let length = 0;
  for (;;) {
    // One byte more shows the end. A file may grow while it is read, and some tell no size.
    const next = length <= size ? size - length + 1 : GROWN;
    const piece = Buffer.alloc(Math.min(next, maxBytes - length + 1));
    const { bytesRead } = await file.read(piece);
    if (bytesRead === 0) return Buffer.concat(pieces, length);
    pieces.push(piece.subarray(0, bytesRead));
    length += bytesRead;
    if (length > maxBytes)
      throw new UnusableFile(
        "not_plain",
        `${String(path)} has more than ${maxBytes} bytes`,
      );
  }
};

const GROWN = 4096;

/** What is in a small plain file; null when there is none. The error says nothing of what is in it. */
export const plainBytes = async (
  path: string | Buffer,
  maxBytes: number,
  how?: How,
): Promise<Buffer | null> => {
  try {
    await using file = await openPlain(path, how);
    return await readWhole(file, path, maxBytes);
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
};

/**
 * The text of a small plain file; null when there is none. Whatever else has its name (a FIFO, a directory, a file of any
 * size) is refused, not waited for and not read. So is a link, unless it is to be followed.
 */
export const readPlain = async (
  path: string,
  maxBytes: number,
  how?: How,
): Promise<string | null> =>
  (await plainBytes(path, maxBytes, how))?.toString("utf8") ?? null;
