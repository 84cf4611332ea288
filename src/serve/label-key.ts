import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../kit/files/durable-file.ts";
import { readOurs } from "../kit/files/own-file.ts";

/** In the home, for its owner alone. */
export const LABEL_KEY = "label-key";

/**
 * The secret that labels of credentials are made with. It is given to nobody, neither a client nor agentctl. A file that
 * holds no key, or one that others could read, is replaced: labels are different then, and agents are started again once.
 * The caller holds the home.
 */
export const loadOrMakeLabelKey = async (home: string): Promise<string> => {
  const path = join(home, LABEL_KEY);
  const found = (await readOurs(path))?.trim() ?? "";
  if (/^[0-9a-f]{64}$/.test(found) && (await isPrivate(path))) return found;
  const key = randomBytes(32).toString("hex");
  await writeDurably(path, `${key}\n`);
  return key;
};

const isPrivate = async (path: string): Promise<boolean> =>
  ((await stat(path)).mode & 0o077) === 0;
