import type { Migration } from "../migrate.ts";

/**
 * Sessions are looked up by the session that they were forked from: `fill-parents.ts` says which for those that are here
 * already, and `index-lookups.ts` makes the index. `lines` holds the folded lines of sessions whose line was asked for; a row
 * that is missing or damaged is made again from the journal.
 */
export const lines: Migration = {
  name: "0013-lines",
  sql: `
    ALTER TABLE sessions ADD COLUMN parent TEXT;
    CREATE TABLE lines (
      session_id TEXT NOT NULL REFERENCES sessions (id),
      version    INTEGER NOT NULL,
      seq        INTEGER NOT NULL,
      state      TEXT NOT NULL,
      checksum   TEXT NOT NULL,
      PRIMARY KEY (session_id, version)
    );
    INSERT INTO unfilled SELECT '0013-lines', '' WHERE EXISTS (SELECT 1 FROM sessions);
  `,
};
