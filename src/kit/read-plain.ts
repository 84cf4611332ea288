import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { hasErrno } from "./errno.ts";

const OPEN = constants.O_RDONLY | constants.O_NONBLOCK;

interface How {
  /** Somebody else's files may be links: many people keep their settings elsewhere. What is behind the link must be plain. */
  follow?: boolean;
}

/** What has the name of a file and is something else. */
export class NotPlain extends Error {}

/** A file that holds more than was asked for. */
export class TooLarge extends Error {}

/** Opens a plain file for reading. Whatever else has its name (a FIFO, a device, a directory) is refused and never waited for. */
export const openPlain = async (
  path: string,
  { follow = false }: How = {},
): Promise<FileHandle> => {
  const file = await open(path, follow ? OPEN : OPEN | constants.O_NOFOLLOW);
  try {
    if ((await file.stat()).isFile()) return file;
    throw new NotPlain(`${path} is no plain file`);
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** What is in a small plain file; null when there is none. The error says nothing of what is in it. */
export const plainBytes = async (
  path: string,
  maxBytes: number,
  how?: How,
): Promise<Buffer | null> => {
  try {
    await using file = await openPlain(path, how);
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length);
      length += bytesRead;
      if (length > maxBytes)
        throw new TooLarge(`${path} has more than ${maxBytes} bytes`);
      if (bytesRead === 0) return buffer.subarray(0, length);
    }
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
};

/**
 * The text of a small file of ours; null when there is none. Whatever else has its name (a link, a FIFO, a directory, a file
 * of any size) is refused, not followed, not waited for and not read.
 */
export const readPlain = async (
  path: string,
  maxBytes: number,
  how?: How,
): Promise<string | null> =>
  (await plainBytes(path, maxBytes, how))?.toString("utf8") ?? null;
