import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { hasErrno } from "./errno.ts";

/** Replaces a file so that after any crash it holds either the old content or the new one, and resolves when the new one is durable. */
export const writeDurably = async (
  path: string,
  content: string,
  mode = 0o600,
): Promise<void> => {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
};

/** Makes the names in a directory durable. */
export const syncDirectory = async (path: string): Promise<void> => {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
};

/** The file's text, or null when there is no such file. */
export const readIfThere = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
};
