import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../kit/durable-file.ts";

/** What a server has to show. Made by whoever needs it first. */
export const tokenIn = async (directory: string): Promise<string> => {
  const path = join(directory, "token");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    const token = randomBytes(32).toString("hex");
    await writeFile(path, token, { mode: 0o600, flag: "wx" });
    return token;
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    return (await readFile(path, "utf8")).trim();
  }
};
