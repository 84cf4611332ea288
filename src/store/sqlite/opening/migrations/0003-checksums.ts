import type { Migration } from "../migrate.ts";

/**
 * Everything that is stored gets a checksum. `seal.ts` computes those of what is here already, session by session, so that
 * one that is damaged already does not keep the others from it.
 *
 * Rows of prompts and of permission requests name the event that holds their text: they are written again whenever their
 * state changes, and a text may have megabytes.
 */
export const checksums: Migration = {
  name: "0003-checksums",
  sql: `
    ALTER TABLE events ADD COLUMN chain TEXT;

    ALTER TABLE sessions ADD COLUMN head TEXT;
    ALTER TABLE sessions ADD COLUMN checkpoints INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN damaged_from INTEGER;
    ALTER TABLE sessions ADD COLUMN checksum TEXT;
    CREATE INDEX sessions_damaged ON sessions (id) WHERE damaged_from IS NOT NULL;
    CREATE INDEX sessions_unsealed ON sessions (id) WHERE checksum IS NULL;

    ALTER TABLE prompts RENAME TO prompts_unsealed;
    DROP INDEX prompts_by_session;
    CREATE INDEX prompts_unsealed_by_session ON prompts_unsealed (session_id);
    CREATE TABLE prompts (
      id         TEXT PRIMARY KEY NOT NULL,
      session_id TEXT NOT NULL REFERENCES sessions (id),
      seq        INTEGER NOT NULL,
      turn       INTEGER,
      state      TEXT NOT NULL,
      checksum   TEXT NOT NULL
    );
    CREATE INDEX prompts_by_session ON prompts (session_id);

    CREATE TABLE permissions (
      session_id TEXT NOT NULL REFERENCES sessions (id),
      id         TEXT NOT NULL,
      seq        INTEGER NOT NULL,
      state      TEXT NOT NULL,
      option_id  TEXT,
      reason     TEXT,
      checksum   TEXT NOT NULL,
      PRIMARY KEY (session_id, id)
    );

    DELETE FROM snapshots;
    ALTER TABLE snapshots ADD COLUMN checksum TEXT;
    ALTER TABLE executors_running ADD COLUMN checksum TEXT;
    ALTER TABLE session_env ADD COLUMN checksum TEXT;
    ALTER TABLE receipts ADD COLUMN checksum TEXT;
    ALTER TABLE tasks ADD COLUMN checksum TEXT;
  `,
};
