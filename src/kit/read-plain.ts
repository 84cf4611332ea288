import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { hasErrno } from "./errno.ts";

const OPEN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The text of a small file of ours; null when there is none. Whatever else has its name (a link, a FIFO, a directory, a file
 * of any size) is refused, not followed, not waited for and not read. The error says nothing of what is in it.
 */
export const readPlain = async (
  path: string,
  maxBytes: number,
): Promise<string | null> => {
  try {
    await using file = await open(path, OPEN);
    if (!(await file.stat()).isFile())
      throw new Error(`${path} is no plain file`);
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length);
      length += bytesRead;
      if (length > maxBytes)
        throw new Error(`${path} has more than ${maxBytes} bytes`);
      if (bytesRead === 0) return buffer.toString("utf8", 0, length);
    }
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
};
