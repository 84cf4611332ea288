import type { DatabaseSync } from "node:sqlite";
import { unlessDamaged } from "../base/failure.ts";

/**
 * Directories are looked up by place and path. This is no part of a migration: all rows are read for it, and where one of
 * them cannot be, the database opens with the index that it has, by path alone. The next server tries again.
 */
export const indexDirectories = (db: DatabaseSync): void => {
  unlessDamaged(() =>
    db.exec(`
      CREATE INDEX IF NOT EXISTS sessions_by_directory ON sessions (place, cwd, last_wish_at, id);
      DROP INDEX IF EXISTS sessions_by_wish;
    `),
  );
};
