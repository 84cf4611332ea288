/** What SQLite and the file system throw, as the codes and words of the house. */
import { RepriseError } from "../../../contract/problem/reprise-error.ts";
import type { Refusal } from "../../refusal.ts";
import { DamagedColumn } from "./row.ts";

export const damagedLog = (database: string): RepriseError =>
  new RepriseError(
    "storage_unavailable",
    `The log ${database}-wal is damaged: what was written since it was last folded into the database cannot be read. Keep a copy of both files, then restore a backup; or remove the log, to go on with what the database itself holds.`,
  );

/** What can be said of a database of which a part is damaged. */
export const describeDamage = (path: string, found: string): string =>
  `The database ${path} is damaged (${found.replaceAll(/\s+/g, " ").trim()}). What can still be read is served. Stop the server, keep a copy of the file, then restore a backup or run \`sqlite3 FILE .recover\`.`;

/** Primary result codes of SQLite that have something to say to a person. */
const PERM = 3;
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const TOOBIG = 18;
const NOTADB = 26;
/** The index of the log could not grow: in practice a full disk. */
const IOERR_SHMSIZE = IOERR | (19 << 8);

export const failureOf = (error: unknown, path: string): Refusal => {
  if (error instanceof RepriseError)
    return { code: error.code, message: error.message };
  const said = error instanceof Error ? error.message : String(error);
  const unavailable = (advice: string): Refusal => ({
    code: "storage_unavailable",
    message: `The database ${path} ${advice} (${said}).`,
  });

  switch (troubleOf(error)) {
    case "full":
      return {
        code: "storage_full",
        message: `The disk that holds ${path} is full (${said}). Free some space and try again; nothing that was acknowledged is lost.`,
      };
    case "closed-to-us":
      return unavailable(
        "cannot be opened for writing: the file and its directory must exist and be writable for this user",
      );
    case "disk":
      return unavailable("cannot be read or written: check the disk");
    case "damaged":
      return {
        ...unavailable(
          "is damaged or is no database of Reprise: stop the server, keep a copy of the file, then restore a backup or run `sqlite3 FILE .recover`",
        ),
        code: "storage_damaged",
      };
    case "held":
      return unavailable(
        "is held by another process: stop that one and try again",
      );
    case "ours":
      return { code: "internal", message: `The store failed: ${said}` };
  }
};

/** Whether this says that something in the database is not what was written there. */
export const isDamage = (error: unknown): boolean =>
  troubleOf(error) === "damaged";

type Trouble = "full" | "closed-to-us" | "disk" | "damaged" | "held" | "ours";

const troubleOf = (error: unknown): Trouble => {
  if (isImpossible(error)) return "damaged";
  const system = systemCodeOf(error);
  if (system !== null) return system === "ENOSPC" ? "full" : "closed-to-us";
  const result = resultCodeOf(error);
  if (result === null) return "ours";
  if (result === IOERR_SHMSIZE) return "full";
  switch (result & 0xff) {
    case FULL:
      return "full";
    case READONLY:
    case PERM:
    case CANTOPEN:
      return "closed-to-us";
    case IOERR:
      return "disk";
    case CORRUPT:
    case NOTADB:
    // Nothing is written that could not be read again: a row that claims such a length does not have it.
    case TOOBIG:
      return "damaged";
    case BUSY:
    case LOCKED:
      return "held";
    default:
      return "ours";
  }
};

/** A value that nobody has written: of another kind, or a number beyond what JavaScript can write. */
const isImpossible = (error: unknown): boolean =>
  error instanceof DamagedColumn ||
  (error instanceof RangeError &&
    "code" in error &&
    error.code === "ERR_OUT_OF_RANGE");

const resultCodeOf = (error: unknown): number | null =>
  error instanceof Error &&
  "errcode" in error &&
  typeof error.errcode === "number"
    ? error.errcode
    : null;

/** `ENOSPC`, `EACCES` …: the operating system's own codes, not Node's `ERR_…`. */
const systemCodeOf = (error: unknown): string | null =>
  error instanceof Error && "syscall" in error && "code" in error
    ? String(error.code)
    : null;

/** What is read; null where that is damaged. */
export const unlessDamaged = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
};
