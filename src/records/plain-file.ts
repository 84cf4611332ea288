/** Files that are ours alone: regular ones, never reached through a link, never waited for like a FIFO. */
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { lstat, open, rename, unlink } from "node:fs/promises";
import { hasErrno } from "../kit/errno.ts";
import { makeDirectory } from "../kit/files/make-directory.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

/** A file is not as it was left: what it should hold is made anew from the journal. */
export class Damaged extends Error {
  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is not as it was left`, options);
    this.name = "Damaged";
  }
}

export const openPlain = async (
  path: string,
  flags: number,
): Promise<FileHandle> => {
  const file = await openAsItIs(path, flags);
  return closeOnFailure(file, async () => {
    if (!(await file.stat()).isFile()) throw new Damaged(path);
  });
};

/** The file, when something could be done with it first. */
export const closeOnFailure = async (
  file: FileHandle,
  first: () => Promise<void>,
): Promise<FileHandle> => {
  try {
    await first();
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
};

const openAsItIs = async (path: string, flags: number): Promise<FileHandle> => {
  try {
    return await open(path, flags | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ELOOP", "ENXIO"))
      throw new Damaged(path, { cause: error });
    throw error;
  }
};

/** Makes a file in the place of whatever has its name. */
export const createPlain = async (path: string): Promise<FileHandle> => {
  await discard(path);
  return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
};

/** Readers see the old file or the new one, never half of one. Nothing is flushed: the journal is what lasts. */
export const replacePlain = async (
  path: string,
  text: string,
): Promise<void> => {
  const draft = `${path}.new`;
  {
    await using file = await createPlain(draft);
    await file.writeFile(text);
  }
  await rename(draft, path);
};

export const discard = async (path: string): Promise<void> => {
  try {
    await unlink(path);
  } catch (error) {
    if (!hasErrno(error, "ENOENT")) throw error;
  }
};

/** Makes the directory if it is not there, and refuses to follow what was put in its place. */
export const enterDirectory = async (path: string): Promise<void> => {
  const found = await lstat(path).catch((error: unknown) => {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  });
  if (found === null) {
    await makeDirectory(path);
    return;
  }
  if (!found.isDirectory())
    throw new Error(`${path} is not a directory, so nothing is written there`);
};

/** Writes all of it, however many calls that takes. */
export const writeAt = async (
  file: FileHandle,
  bytes: Buffer,
  position: number,
): Promise<void> => {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(
      bytes,
      done,
      bytes.length - done,
      position + done,
    );
    done += bytesWritten;
  }
};

/** Exactly these bytes, or `Damaged` when the file ends before. */
export const readAt = async (
  file: FileHandle,
  path: string,
  from: number,
  to: number,
): Promise<Buffer> => {
  const bytes = Buffer.alloc(to - from);
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await file.read(
      bytes,
      done,
      bytes.length - done,
      from + done,
    );
    if (bytesRead === 0) throw new Damaged(path);
    done += bytesRead;
  }
  return bytes;
};
