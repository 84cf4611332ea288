import type { Migration } from "../migrate.ts";

/**
 * Sessions are looked up by their agent, name, agent's own id and whether they need somebody, and what changed in the home is
 * found by a number. These columns only say where to look, so no checksum covers them. `fill-lookups.ts` makes those of the
 * sessions that are here already, and `index-lookups.ts` the indexes.
 *
 * `changes` holds the number of the newest change, and that of the newest removal that is not remembered any more.
 * `removed` holds sessions and tasks that are gone for good.
 */
export const lookups: Migration = {
  name: "0012-lookups",
  sql: `
    ALTER TABLE sessions ADD COLUMN agent TEXT;
    ALTER TABLE sessions ADD COLUMN name TEXT;
    ALTER TABLE sessions ADD COLUMN resume_token TEXT;
    ALTER TABLE sessions ADD COLUMN needs_you INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tasks ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;

    CREATE TABLE changes (
      one       INTEGER PRIMARY KEY CHECK (one = 1),
      last      INTEGER NOT NULL,
      forgotten INTEGER NOT NULL
    );
    INSERT INTO changes (one, last, forgotten) VALUES (1, 0, 0);
    CREATE TABLE removed (
      changed INTEGER PRIMARY KEY NOT NULL,
      id      TEXT NOT NULL
    );

    INSERT INTO unfilled SELECT '0012-lookups', '' WHERE EXISTS (SELECT 1 FROM sessions);
  `,
};
