/**
 * Asks the kernel whether anybody has a file open for writing. A shared mapping counts, also when the file behind it was
 * closed, and so do processes that we may not look at. Linux grants a read lease only on a file that nobody writes to.
 */
import { closeSync, constants as open, openSync } from "node:fs";
import { constants as system } from "node:os";
import { cFunctions, lastErrno } from "../../kit/c-library.ts";
import { fsPath, type ByteString } from "../format/byte-string.ts";

/** `unknown` where the kernel does not say. */
export type Writers = "none" | "some" | "unknown";

const F_SETSIG = 10;
const F_SETLEASE = 1024;
const F_RDLCK = 0;
const F_UNLCK = 2;

/** The answers to a lease that is not ours to ask for, or that this file system does not have. */
const UNKNOWN: ReadonlySet<number> = new Set([
  system.errno.EACCES,
  system.errno.EPERM,
  system.errno.EINVAL,
  system.errno.ENOLCK,
  system.errno.ENOSYS,
  system.errno.EOPNOTSUPP,
]);

/** Of a file that is open for reading. Whoever opens it for writing meanwhile waits until this returns. */
export const writersOf = (file: number): Writers => {
  if (library === null) return "unknown";
  // Whoever waits for us makes the kernel send a signal. SIGIO, the usual one, would end the process.
  library.fcntl(file, F_SETSIG, system.signals.SIGURG);
  if (library.fcntl(file, F_SETLEASE, F_RDLCK) !== 0)
    return UNKNOWN.has(lastErrno()) ? "unknown" : "some";
  library.fcntl(file, F_SETLEASE, F_UNLCK);
  return "none";
};

/**
 * Writes what was changed in memory to the disk. Pages of a mapping are read-only from then on, and the next store to one
 * of them sets the times of the file.
 */
export const flushPages = (file: number): void =>
  void library?.sync_file_range(file, 0, 0, WAIT_WRITE_WAIT);

const WAIT_WRITE_WAIT = 7;

/** Opens a file without a name, which nobody sees and which is gone when it is closed. Node has no name for it. */
const O_TMPFILE = 0o20000000 | open.O_DIRECTORY;

/**
 * Tries out whether leases tell of mappings on the file system of this directory. On one that is stacked on another
 * (overlay) they do not: the mapping belongs to the file beneath. False where it cannot be tried.
 */
export const leasesTellMappings = (directory: ByteString): boolean => {
  if (library === null) return false;
  let writer: number | null = null;
  let reader: number | null = null;
  let mapping: bigint | null = null;
  try {
    writer = openSync(fsPath(directory), O_TMPFILE | open.O_RDWR, 0o600);
    reader = openSync(`/proc/self/fd/${writer}`, open.O_RDONLY);
    mapping = library.map(writer);
    closeSync(writer);
    writer = null;
    return mapping !== null && writersOf(reader) === "some";
  } catch {
    return false;
  } finally {
    if (mapping !== null) library.unmap(mapping);
    if (reader !== null) closeSync(reader);
    if (writer !== null) closeSync(writer);
  }
};

/** Nothing is ever stored there, so that a full disk does no harm. */
const MAPPED_BYTES = 4096;
const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const MAP_FAILED = 2n ** 64n - 1n;

const load = () => {
  if (process.platform !== "linux") return null;
  const functions = cFunctions({
    fcntl: { arguments: ["i32", "i32", "i32"], return: "i32" },
    sync_file_range: { arguments: ["i32", "i64", "i64", "u32"], return: "i32" },
    mmap: {
      arguments: ["u64", "u64", "i32", "i32", "i32", "i64"],
      return: "pointer",
    },
    munmap: { arguments: ["pointer", "u64"], return: "i32" },
  });
  if (functions === null) return null;
  return {
    ...functions,
    map: (file: number): bigint | null => {
      const at = functions.mmap(
        0,
        MAPPED_BYTES,
        PROT_READ_WRITE,
        MAP_SHARED,
        file,
        0,
      );
      return at === MAP_FAILED ? null : at;
    },
    unmap: (at: bigint) => void functions.munmap(at, MAPPED_BYTES),
  };
};

const library = load();
