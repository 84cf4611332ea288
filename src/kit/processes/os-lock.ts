import { chmodSync, closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

export interface OsLock {
  release(): void;
}

/**
 * Takes a lock that the operating system lets go when the process dies, however it dies: an SQLite file held in an
 * exclusive transaction. Null when another process holds it.
 */
export const takeOsLock = (path: string): OsLock | null => {
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (error instanceof Error && /database is locked/.test(error.message))
      return null;
    throw new Error(
      `The lock ${path} cannot be taken (${String(error)}). If nothing runs that may hold it, remove the file.`,
      { cause: error },
    );
  }
  return { release: () => database.close() };
};
