import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createDurably } from "../../kit/files/durable-file.ts";
import { readOurs } from "../../kit/files/own-file.ts";

/** What a server has to show. Made by whoever needs it first. */
export const tokenIn = async (directory: string): Promise<string> => {
  const path = join(directory, "token");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readOurs(path)) === null)
    await createDurably(path, `${randomBytes(32).toString("hex")}\n`);
  return (await readOurs(path))?.trim() ?? "";
};
