import { lstat } from "node:fs/promises";
import { hasErrno } from "../errno.ts";
import { sweepDrafts, writeDurably } from "./durable-file.ts";
import { readPlain } from "./read-plain.ts";
import { isUnusable, UnusableFile } from "./unusable-file.ts";

/** An id and its newline. */
const MAX_BYTES = 256;

/**
 * The id that something of ours keeps for good in a file of its own. It is made when there is none, and made anew when the
 * file does not hold one. A file that cannot be read now is no reason to make another. Only for the one that alone may write it.
 */
export const loadOrMakeId = async <T extends string>(
  path: string,
  parse: (text: string) => T | null,
  make: () => T,
): Promise<T> => {
  await sweepDrafts(path);
  const found = parse((await textOf(path)).trim());
  if (found !== null) return found;
  const id = make();
  await writeDurably(path, `${id}\n`);
  return id;
};

/** What has the name of the file and is something else, or is longer than any id, holds none. */
const textOf = async (path: string): Promise<string> => {
  try {
    return (await readPlain(path, MAX_BYTES)) ?? "";
  } catch (error) {
    const holdsNone =
      isUnusable(error, "not_plain") || hasErrno(error, "ELOOP");
    if (!holdsNone) throw error;
    // It is not ours to remove.
    if ((await lstat(path)).isDirectory())
      throw new UnusableFile(
        "is_directory",
        `${path} is a directory, where a file with an id belongs. Put the file back, or remove the directory so that a new id is made, then try again.`,
      );
    return "";
  }
};
