import { lstat, readlink, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { hasErrno } from "../errno.ts";

// oxlint-disable-next-line no-control-regex -- these are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Why there is no directory at this path and none can be made, in a sentence; null when nothing stands in the way. */
export const whyNoHome = async (home: string): Promise<string | null> => {
  if (CONTROL.test(home))
    return `The path of the home contains a line break or another control character: ${JSON.stringify(home)}.`;
  try {
    const found = await lstat(home);
    if (found.isDirectory()) return null;
    if (!found.isSymbolicLink())
      return `The home ${home} is a file, not a directory.`;
    return await whyNoTarget(home);
  } catch (error) {
    return whyUnreachable(home, error);
  }
};

const whyNoTarget = async (link: string): Promise<string | null> => {
  const target = await readlink(link);
  try {
    return (await stat(link)).isDirectory()
      ? null
      : `The home ${link} is a link to ${target}, which is a file and not a directory.`;
  } catch (error) {
    if (hasErrno(error, "ENOENT"))
      return `The home ${link} is a link to ${target}, which does not exist.`;
    throw error;
  }
};

const whyUnreachable = async (
  home: string,
  error: unknown,
): Promise<string | null> => {
  if (hasErrno(error, "ENOENT")) return null;
  if (hasErrno(error, "ENOTDIR"))
    return `The home ${home} cannot be made, because ${await fileAbove(home)} is a file and not a directory.`;
  if (hasErrno(error, "ENAMETOOLONG"))
    return `The path of the home is too long for this file system: it has ${home.length} characters and begins with ${home.slice(0, 80)}.`;
  if (hasErrno(error, "ELOOP"))
    return `The home ${home} is reached through links that lead to each other.`;
  if (hasErrno(error, "EACCES", "EPERM"))
    return `The home ${home} cannot be reached: you may not enter a directory above it.`;
  throw error;
};

const fileAbove = async (path: string): Promise<string> => {
  const above = dirname(path);
  const found = await lstat(above).catch(() => null);
  return found === null && above !== path ? fileAbove(above) : above;
};
