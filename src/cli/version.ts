import { readFile } from "node:fs/promises";
import { z } from "zod";

/** Of this package: in a clone and in an installed one it lies two directories up. */
export const readVersion = async (): Promise<string> => {
  const file = new URL("../../package.json", import.meta.url);
  const text = await readFile(file, "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
};
