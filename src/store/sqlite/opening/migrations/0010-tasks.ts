import type { Migration } from "../migrate.ts";

/**
 * Tasks get journals. `fill-tasks.ts` makes those of the tasks that are here already, out of `older_tasks`, and removes
 * that table when nothing is left in it that is nowhere else.
 *
 * Events of tasks lie in a rowid table for the same reason as those of sessions (0001).
 */
export const tasks: Migration = {
  name: "0010-tasks",
  sql: `
    ALTER TABLE tasks RENAME TO older_tasks;

    CREATE TABLE tasks (
      id           TEXT PRIMARY KEY NOT NULL,
      name         TEXT,
      created_at   TEXT NOT NULL,
      last_seq     INTEGER NOT NULL,
      head         TEXT NOT NULL,
      view         TEXT NOT NULL,
      is_live      INTEGER NOT NULL,
      due_at       TEXT,
      damaged_from INTEGER,
      checksum     TEXT NOT NULL
    );
    CREATE INDEX tasks_newest ON tasks (created_at, id);
    CREATE UNIQUE INDEX tasks_by_name ON tasks (name) WHERE name IS NOT NULL;
    CREATE INDEX tasks_live ON tasks (id) WHERE is_live = 1 AND damaged_from IS NULL;
    CREATE INDEX tasks_due ON tasks (due_at, id) WHERE due_at IS NOT NULL AND damaged_from IS NULL;

    CREATE TABLE task_events (
      task_id TEXT NOT NULL REFERENCES tasks (id),
      seq     INTEGER NOT NULL,
      type    TEXT NOT NULL,
      at      TEXT NOT NULL,
      body    TEXT NOT NULL,
      chain   TEXT NOT NULL,
      PRIMARY KEY (task_id, seq)
    );

    CREATE TABLE task_news (
      session_id TEXT PRIMARY KEY NOT NULL REFERENCES sessions (id),
      task_id    TEXT NOT NULL,
      from_seq   INTEGER NOT NULL,
      to_seq     INTEGER NOT NULL
    ) WITHOUT ROWID;
  `,
  run: (db) => {
    const some = db.prepare("SELECT 1 FROM older_tasks LIMIT 1").get();
    db.exec(
      some === undefined
        ? "DROP TABLE older_tasks"
        : "INSERT INTO unfilled (migration, after_id) VALUES ('0010-tasks', '')",
    );
  },
};
