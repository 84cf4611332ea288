import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** How long a statement waits for another process's lock before it gives up. */
const BUSY_MS = 5000;

export const openForWriting = (path: string): DatabaseSync => {
  createPrivately(path);
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  // What is acknowledged is on the disk: FULL flushes the log at every commit, and `fullfsync` makes macOS mean it.
  // The log is folded into the database between commits, by `checkpoint.ts`, and not inside one.
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA foreign_keys = ON;
    PRAGMA wal_autocheckpoint = 0;
  `);
  return db;
};

export const openForReading = (path: string): DatabaseSync =>
  new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });

/**
 * SQLite would create the file with the umask's rights; its log and its index take over the rights of this file.
 * An existing file is not opened here: closing it would drop the locks that another connection of this process holds.
 */
const createPrivately = (path: string): void => {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      return;
    throw error;
  }
};
