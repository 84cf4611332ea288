import { type Dirent, readdirSync, statSync } from "node:fs";
import { posix } from "node:path";
import { LinkError } from "../../../contract/link/link-error.ts";
import type { Directories } from "../../../contract/session/directories.ts";
import type { FileCalls } from "./file-calls.ts";
import { pathError } from "./held.ts";
import { hasErrno } from "../../../kit/errno.ts";

/** Directories whose paths begin as `path` does. A name that begins with a dot is listed where what was typed of it does too. */
export const listDirectories = ({
  path,
  limit,
}: FileCalls["directories"]["query"]): Directories => {
  if (!path.startsWith("/") || path.includes("\0"))
    throw new LinkError("path_invalid", "The path is not an absolute one.");
  const cut = path.lastIndexOf("/") + 1;
  const parent = path.slice(0, cut);
  const typed = path.slice(cut);
  const names = entriesOf(parent)
    .filter((entry) => fits(entry, typed))
    .sort(inOrder(typed));
  const found: string[] = [];
  for (const entry of names) {
    if (!isDirectory(parent, entry)) continue;
    if (found.length === limit)
      return { parent, names: found, truncated: true };
    found.push(entry.name);
  }
  return { parent, names: found, truncated: false };
};

const entriesOf = (directory: string): Dirent[] => {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (hasErrno(error, "ENOTDIR"))
      throw new LinkError("not_a_directory", "The path is not a directory.");
    throw pathError(error);
  }
};

const fits = ({ name }: Dirent, typed: string): boolean =>
  name.toLowerCase().startsWith(typed.toLowerCase()) &&
  (typed.startsWith(".") || !name.startsWith(".")) &&
  // What Node puts in place of bytes that are not UTF-8: no path leads there.
  !name.includes("\uFFFD");

/** Those that begin exactly so come first. */
const inOrder =
  (typed: string) =>
  (one: Dirent, other: Dirent): number =>
    Number(other.name.startsWith(typed)) - Number(one.name.startsWith(typed)) ||
    (one.name < other.name ? -1 : 1);

/** A link counts as what it leads to. */
const isDirectory = (parent: string, entry: Dirent): boolean => {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(posix.join(parent, entry.name)).isDirectory();
  } catch {
    return false;
  }
};
