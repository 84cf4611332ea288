import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { identify, type ProcessIdentity } from "./process-identity.ts";

/**
 * The process that holds the operating system's lock on a file, asked of the operating system itself: it is known from
 * the very moment the lock is taken. Null when nobody holds it, when the holder is another user's, or on a system that
 * does not tell (all but Linux).
 */
export const lockHolder = async (
  path: string,
): Promise<ProcessIdentity | null> => {
  const [file, locks] = await Promise.all([
    stat(path, { bigint: true }).catch(() => null),
    readFile("/proc/locks", "utf8").catch(() => ""),
  ]);
  if (file === null) return null;
  for (const pid of writersIn(locks, file.ino))
    if (await hasOpen(pid, file)) return identify(pid);
  return null;
};

/** `12: POSIX  ADVISORY  WRITE 3456 fe:00:1714170 1073741824 1073742335`: the processes that hold a file with this inode. */
const writersIn = (locks: string, inode: bigint): Set<number> => {
  const pids = new Set<number>();
  for (const line of locks.split("\n")) {
    const [, kind, , access, pid, where = ""] = line.split(/\s+/);
    if (kind === "POSIX" && access === "WRITE" && where.endsWith(`:${inode}`))
      pids.add(Number(pid));
  }
  return pids;
};

/** Devices have other numbers in that table than in the file system, so of several files with one inode number it is the one that is open. */
const hasOpen = async (
  pid: number,
  file: { dev: bigint; ino: bigint },
): Promise<boolean> => {
  const directory = `/proc/${pid}/fd`;
  for (const name of await readdir(directory).catch(() => [])) {
    const link = `${directory}/${name}`;
    if (!(await readlink(link).catch(() => "")).startsWith("/")) continue;
    const found = await stat(link, { bigint: true }).catch(() => null);
    if (found?.ino === file.ino && found.dev === file.dev) return true;
  }
  return false;
};
