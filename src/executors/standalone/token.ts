import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { RepriseError } from "../../contract/problem.ts";
import { createDurably } from "../../kit/files/durable-file.ts";
import { readOurs } from "../../kit/files/own-file.ts";

/** The secret that opens the link, made by whoever comes first. */
export const loadOrMakeToken = async (directory: string): Promise<string> => {
  const path = join(directory, "token");
  const token = (await read(path)) ?? (await make(path));
  if (/^[0-9a-f]{64}$/.test(token)) return token;
  throw new RepriseError(
    "agentctl_unavailable",
    `${path} does not hold a token: remove the file, and stop the agentctl of this home if one runs`,
  );
};

const read = async (path: string): Promise<string | null> =>
  (await readOurs(path))?.trim() ?? null;

/** When another makes it at the same time, it is the other's. */
const make = async (path: string): Promise<string> => {
  await createDurably(path, `${randomBytes(32).toString("hex")}\n`);
  return (await read(path)) ?? "";
};
