import type { Migration } from "../migrate.ts";

/**
 * The same path at two places is two directories: a session's row names its place. A checkpoint's row names the place whose
 * vault holds it. `fill-places.ts` makes the rows of the sessions that are here already, and `index-directories.ts` the index.
 */
export const places: Migration = {
  name: "0008-places",
  sql: `
    ALTER TABLE sessions ADD COLUMN place TEXT NOT NULL DEFAULT 'standalone/local';
    ALTER TABLE checkpoints ADD COLUMN place TEXT;
    INSERT INTO unfilled SELECT '0008-places', '' WHERE EXISTS (SELECT 1 FROM sessions);
  `,
};
