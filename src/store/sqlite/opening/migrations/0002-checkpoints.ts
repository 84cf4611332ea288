import type { Migration } from "../migrate.ts";

/** Events of checkpoints are found without reading the rest of a journal, and sessions in the trash are marked as such. */
export const checkpoints: Migration = {
  name: "0002-checkpoints",
  sql: `
    CREATE INDEX events_of_checkpoints ON events (session_id, seq)
      WHERE type IN ('session.checkpoint.saved', 'session.checkpoint.partial', 'session.checkpoint.failed');
    ALTER TABLE sessions ADD COLUMN deleted_at TEXT;
    CREATE INDEX prompts_by_session ON prompts (session_id);
  `,
};
