import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { RepriseError } from "../../contract/problem.ts";
import { hasErrno } from "../../kit/errno.ts";

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

const read = async (path: string): Promise<string | null> => {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  }
};

/** Linked, not created in place: the file appears with all its content, or another's is there already. */
const make = async (path: string): Promise<string> => {
  const fresh = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(fresh, `${randomBytes(32).toString("hex")}\n`, {
    mode: 0o600,
    flag: "wx",
    flush: true,
  });
  try {
    await link(fresh, path);
  } catch (error) {
    if (!hasErrno(error, "EEXIST")) throw error;
  } finally {
    await rm(fresh);
  }
  return (await read(path)) ?? "";
};
