/** Tells whether the file or directory at a path is still the one that was opened there. Files are only looked at by name: opening and closing one would drop the locks this process holds on it. */
import { statSync } from "node:fs";
import { hasErrno } from "../errno.ts";

export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** `unknown`: the file system did not say, so nothing follows from it. */
export type Found = FileIdentity | "missing" | "unknown";

export const identityAt = (path: string): Found => {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return { dev, ino };
  } catch (error) {
    return hasErrno(error, "ENOENT", "ENOTDIR") ? "missing" : "unknown";
  }
};

/** A file that cannot be seen right now counts as the same. */
export const isSameFile = (was: Found, is: Found): boolean => {
  if (typeof was === "string" || is === "unknown") return true;
  return is !== "missing" && is.ino === was.ino && is.dev === was.dev;
};

/** A path at which something else, or nothing, is found. */
export interface Displaced {
  path: string;
  found: "missing" | "replaced";
}

/**
 * Remembers what is at these paths now. The returned function gives the first path where that has changed, or null. It
 * is synchronous and takes a few microseconds per path, so it can stand between a commit and its acknowledgement.
 */
export const watchIdentities = (
  paths: readonly string[],
): (() => Displaced | null) => {
  const remembered = paths.map((path) => ({ path, was: identityAt(path) }));
  return () => {
    for (const { path, was } of remembered) {
      const is = identityAt(path);
      if (!isSameFile(was, is))
        return { path, found: is === "missing" ? "missing" : "replaced" };
    }
    return null;
  };
};
