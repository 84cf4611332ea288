import { randomBytes } from "node:crypto";
import type { Dirent, PathLike } from "node:fs";
import {
  link,
  lstat,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  symlink,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { crashPoint } from "../crash-point.ts";
import { hasErrno } from "../errno.ts";
import { openPlain } from "./read-plain.ts";

/** Replaces a file so that after any crash it holds either the old content or the new one, and resolves when the new one is durable. */
export const writeDurably = async (
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> => {
  const draft = await writeDraft(path, content, mode);
  try {
    await placeDurably(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
};

/** Makes a file, whole or not at all, and resolves when it is durable. Of several makers one wins: false for the others. */
export const createDurably = async (
  path: string,
  content: string,
  mode = 0o600,
): Promise<boolean> => {
  const draft = await writeDraft(path, content, mode);
  try {
    await link(draft, path);
    crashPoint("file.placed");
  } catch (error) {
    // Another maker was first, and may already have removed our draft as a leftover.
    if (hasErrno(error, "EEXIST") || (await isThere(path))) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dirname(path));
  return true;
};

/** Writes a new file piece by piece, and resolves when what is in it is durable. Its name is not: it is a draft. */
export const writeDraftOf = async (
  draft: PathLike,
  content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  mode = 0o600,
): Promise<void> => {
  const file = await open(draft, "wx", mode);
  try {
    for await (const piece of content) await file.appendFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
  crashPoint("file.written");
};

/** Gives a draft its name, and resolves when that is durable. False when something has that name already: it stays. */
export const linkDurably = (draft: string, path: string): Promise<boolean> =>
  appear(path, () => link(draft, path));

/** Makes a symbolic link; the same otherwise. */
export const symlinkDurably = (
  target: string,
  path: string,
): Promise<boolean> => appear(path, () => symlink(target, path));

const appear = async (
  path: string,
  make: () => Promise<void>,
): Promise<boolean> => {
  try {
    await make();
  } catch (error) {
    if (hasErrno(error, "EEXIST")) return false;
    throw error;
  }
  crashPoint("file.placed");
  await syncDirectory(dirname(path));
  return true;
};

/** Gives what is complete and flushed (a file or a directory) its name, and resolves when the name is durable. */
export const placeDurably = (draft: string, path: string): Promise<void> =>
  placeIn(dirname(path), draft, path);

/** The same where the directory is known, and names may be bytes. */
export const placeIn = async (
  directory: PathLike,
  draft: PathLike,
  path: PathLike,
): Promise<void> => {
  await rename(draft, path);
  crashPoint("file.placed");
  await syncDirectory(directory);
};

/** Makes the names in a directory durable. */
export const syncDirectory = async (path: PathLike): Promise<void> => {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
  crashPoint("file.settled");
};

/** Removes a file or a directory with all that is in it, if it is there. */
export const remove = async (path: PathLike): Promise<void> => {
  await rm(path, { recursive: true, force: true });
  crashPoint("file.removed");
};

/** Removes a directory in which nothing is, and nothing else. Says whether it did. */
export const removeEmpty = async (path: string): Promise<boolean> => {
  try {
    await rmdir(path);
  } catch (error) {
    if (hasErrno(error, "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR"))
      return false;
    throw error;
  }
  crashPoint("file.removed");
  return true;
};

/** Removes what a writer of this file left when it died in the middle. Only for the one that alone may write it. */
export const sweepDrafts = (path: string): Promise<void> =>
  sweepFiles(dirname(path), (name) => isDraftOf(basename(path), name));

/** Removes the files in a directory that have such names, and nothing that is not a file. */
export const sweepFiles = async (
  directory: string,
  isLeft: (name: string) => boolean,
): Promise<void> => {
  for (const entry of await entriesOf(directory))
    if (entry.isFile() && isLeft(entry.name))
      await remove(join(directory, entry.name));
};

/** The same for directories, with all that is in them. */
export const sweepDirectories = async (
  directory: string,
  isLeft: (name: string) => boolean,
): Promise<void> => {
  for (const entry of await entriesOf(directory))
    if (entry.isDirectory() && isLeft(entry.name))
      await remove(join(directory, entry.name));
};

const isDraftOf = (file: string, name: string): boolean =>
  name.startsWith(`${file}.`) && DRAFT.test(name.slice(file.length + 1));

const DRAFT = /^[0-9a-f]{12}$/;

const entriesOf = async (directory: string): Promise<Dirent[]> => {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return [];
    throw error;
  }
};

const isThere = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => null)) !== null;

/** The file's text, or null when there is no such file. What has its name and is no file is refused, not waited for. */
export const readIfThere = async (path: string): Promise<string | null> => {
  try {
    await using file = await openPlain(path, { follow: true });
    return await file.readFile("utf8");
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
};

const writeDraft = async (
  path: string,
  content: string | Uint8Array,
  mode: number,
): Promise<string> => {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  crashPoint("file.written");
  return draft;
};
