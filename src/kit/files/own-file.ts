/**
 * Files that decide what is run, or who may talk to us, must be ours: what another user put there, or can change, could
 * be theirs to choose. Only the user this process runs as counts, not even root: whoever runs as root can become that user.
 */
import { stat } from "node:fs/promises";
import { hasErrno } from "../errno.ts";
import { openPlain, readWhole } from "./read-plain.ts";
import { UnusableFile } from "./unusable-file.ts";

/** What others can do to it, in words; null when it is ours alone to change. */
export const whyNotOurs = (
  path: string,
  { uid, mode }: { uid: number; mode: number },
  us = process.getuid?.(),
): string | null => {
  if (us !== undefined && uid !== us)
    return `${path} belongs to another user (uid ${uid}, this is uid ${us}). Run this as that user, or choose a home of your own with REPRISE_HOME.`;
  if ((mode & 0o022) !== 0)
    return `${path} can be changed by others (mode ${octal(mode)}), so what it holds may be theirs. See that it is as you want it, then run \`chmod go-w\` on it.`;
  return null;
};

export const octal = (mode: number): string =>
  (mode & 0o777).toString(8).padStart(4, "0");

/** Throws `not_ours` unless it is ours; a path that leads nowhere is nobody's. */
export const checkOurs = async (path: string): Promise<void> => {
  const found = await stat(path).catch((error: unknown) => {
    if (hasErrno(error, "ENOENT")) return null;
    throw error;
  });
  if (found !== null) refuseOthers(path, found);
};

/** No file that a person writes, or that we write for ourselves, is larger. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The text of a file that is ours; null when there is none. It may be a link; what is no plain file is not waited for. */
export const readOurs = async (path: string): Promise<string | null> => {
  try {
    await using file = await openPlain(path, { follow: true });
    refuseOthers(path, await file.stat());
    return (await readWhole(file, path, MAX_BYTES)).toString("utf8");
  } catch (error) {
    if (hasErrno(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  }
};

export const refuseOthers = (
  path: string,
  found: { uid: number; mode: number },
): void => {
  const why = whyNotOurs(path, found);
  if (why !== null) throw new UnusableFile("not_ours", why);
};
