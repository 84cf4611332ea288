import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readIfThere } from "../kit/durable-file.ts";
import { hasErrno } from "../kit/errno.ts";

/** What a server has to show. Made by whoever needs it first. */
export const tokenIn = async (directory: string): Promise<string> => {
  const path = join(directory, "token");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readIfThere(path)) === null) await make(path);
  return (await readFile(path, "utf8")).trim();
};

/** Linked, not created in place: nobody ever reads half of it. */
const make = async (path: string): Promise<void> => {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const token = `${randomBytes(32).toString("hex")}\n`;
  await writeFile(draft, token, { mode: 0o600, flag: "wx", flush: true });
  try {
    await link(draft, path);
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) throw error;
  } finally {
    await rm(draft);
  }
};
