import type { Migration } from "../migrate.ts";

/**
 * Sessions that a server has to look after are found without reading the others. `fill-attention.ts` makes the rows of the
 * sessions that are here already; `unfilled` says up to which session.
 */
export const liveAndDue: Migration = {
  name: "0005-live-and-due",
  sql: `
    CREATE TABLE attention (
      session_id TEXT PRIMARY KEY NOT NULL REFERENCES sessions (id),
      live       INTEGER NOT NULL,
      due_at     TEXT
    ) WITHOUT ROWID;
    CREATE INDEX attention_live ON attention (session_id) WHERE live = 1;
    CREATE INDEX attention_due ON attention (due_at, session_id) WHERE due_at IS NOT NULL;

    CREATE TABLE unfilled (
      migration TEXT PRIMARY KEY NOT NULL,
      after_id  TEXT NOT NULL
    );
    INSERT INTO unfilled SELECT '0005-live-and-due', '' WHERE EXISTS (SELECT 1 FROM sessions);
  `,
};
