import { hasErrno } from "../errno.ts";
import { sweepDrafts, writeDurably } from "./durable-file.ts";
import { NotPlain, readPlain } from "./read-plain.ts";

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
    const holdsNone = error instanceof NotPlain || hasErrno(error, "ELOOP");
    if (holdsNone) return "";
    throw error;
  }
};
