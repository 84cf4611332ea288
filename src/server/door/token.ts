import { randomBytes } from "node:crypto";
import { RepriseError } from "../../contract/problem/problem.ts";
import { createDurably } from "../../kit/files/durable-file.ts";
import { hasErrno } from "../../kit/errno.ts";
import { octal, refuseOthers } from "../../kit/files/own-file.ts";
import { openPlain, readWhole } from "../../kit/files/read-plain.ts";
import { cannotStart } from "./cannot-start.ts";
import { isUnusable } from "../../kit/files/unusable-file.ts";

/** Letters that may stand in a header, a cookie and a subprotocol alike. */
const TOKEN = /^[A-Za-z0-9_-]{32,256}$/;
const MAX_BYTES = 4096;

/**
 * The server's token: read from its file, or made there at the first start.
 * A file that others can read is refused, not repaired: its token may be known already, and tightening the mode would
 * hide that. The message says how to get a new one.
 */
export const loadOrMakeToken = async (path: string): Promise<string> =>
  (await load(path)) ?? (await make(path)) ?? (await loadOther(path));

const load = async (path: string): Promise<string | undefined> => {
  try {
    await using file = await openPlain(path, { follow: true });
    const found = await file.stat();
    if ((found.mode & 0o077) !== 0)
      throw cannotStart(
        `The token file ${path} can be read by others (mode ${octal(found.mode)}), so its token may be known. Remove it to get a new one, or "chmod 600" it if nobody else has been here.`,
      );
    refuseOthers(path, found);
    const token = (await readWhole(file, path, MAX_BYTES))
      .toString("utf8")
      .trim();
    if (!TOKEN.test(token))
      throw cannotStart(
        `The token file ${path} holds no token (32 to 256 letters, digits, "-" or "_"). Remove it to get a new one.`,
      );
    return token;
  } catch (error) {
    if (hasErrno(error, "ENOENT")) return undefined;
    throw explained(error, path);
  }
};

/** Undefined when another made it meanwhile. */
const make = async (path: string): Promise<string | undefined> => {
  const token = randomBytes(32).toString("base64url");
  try {
    return (await createDurably(path, `${token}\n`)) ? token : undefined;
  } catch (error) {
    throw explained(error, path);
  }
};

const loadOther = async (path: string): Promise<string> => {
  const token = await load(path);
  if (token !== undefined) return token;
  throw cannotStart(
    `The token file ${path} appears and disappears. Is something else using this home?`,
  );
};

const explained = (error: unknown, path: string): Error =>
  error instanceof RepriseError || isUnusable(error, "not_ours")
    ? error
    : cannotStart(
        `The token file ${path} cannot be read or made: ${error instanceof Error ? error.message : String(error)}.`,
        error,
      );
