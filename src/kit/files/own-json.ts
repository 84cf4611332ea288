import { readOurs } from "./own-file.ts";
import { isUnusable } from "./unusable-file.ts";

/**
 * One of our own JSON files, in the shape that `parse` checks. A file may be there and tell nothing: a crash or a disk has
 * spoilt it, or something else has its name. Throws `not_ours` when another user could have written it.
 */
export const readOwnJson = async <T extends object>(
  path: string,
  parse: (document: unknown) => T,
): Promise<T | "absent" | "damaged"> => {
  try {
    const text = await readOurs(path);
    return text === null ? "absent" : parse(JSON.parse(text));
  } catch (error) {
    if (isUnusable(error, "not_ours")) throw error;
    return "damaged";
  }
};

/** The same for whoever can do without it: null where it tells nothing that we may believe. */
export const ownJsonOrNull = async <T extends object>(
  path: string,
  parse: (document: unknown) => T,
): Promise<T | null> => {
  const found = await readOwnJson(path, parse).catch(() => "damaged" as const);
  return typeof found === "string" ? null : found;
};
