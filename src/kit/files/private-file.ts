import { hasErrno } from "../errno.ts";
import { octal, refuseOthers } from "./own-file.ts";
import { openPlain, readWhole } from "./read-plain.ts";
import { UnusableFile } from "./unusable-file.ts";

/** Nobody writes longer secrets. */
const MAX_BYTES = 64 * 1024;

/**
 * The text of a file with somebody's secret in it: it is ours, and nobody else can read it. Null when there is none. No
 * error says anything of what is in it.
 */
export const readPrivate = async (path: string): Promise<string | null> => {
  try {
    await using file = await openPlain(path, { follow: true });
    const found = await file.stat();
    refuseOthers(path, found);
    if ((found.mode & 0o077) !== 0)
      throw new UnusableFile(
        "not_private",
        `${path} holds a secret and can be read by others (mode ${octal(found.mode)}). Run \`chmod 600\` on it.`,
      );
    return (await readWhole(file, path, MAX_BYTES)).toString("utf8");
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  }
};
