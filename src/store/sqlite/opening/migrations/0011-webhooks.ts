import type { Migration } from "../migrate.ts";

/** How far channels got with sessions and tasks, and which webhooks are switched off. A subject is a session or a task. */
export const webhooks: Migration = {
  name: "0011-webhooks",
  sql: `
    CREATE TABLE webhook_deliveries (
      channel     TEXT NOT NULL,
      subject     TEXT NOT NULL,
      after_seq   INTEGER NOT NULL,
      to_seq      INTEGER NOT NULL,
      failures    INTEGER NOT NULL DEFAULT 0,
      next_at     TEXT,
      passed_over INTEGER NOT NULL DEFAULT 0,
      last        TEXT,
      PRIMARY KEY (channel, subject)
    ) WITHOUT ROWID;
    CREATE INDEX webhook_deliveries_due ON webhook_deliveries (channel, next_at, subject) WHERE next_at IS NOT NULL;
    CREATE INDEX webhook_deliveries_of ON webhook_deliveries (subject);

    CREATE TABLE webhooks_off (
      channel TEXT PRIMARY KEY NOT NULL,
      url     TEXT NOT NULL,
      at      TEXT NOT NULL
    ) WITHOUT ROWID;
  `,
};
