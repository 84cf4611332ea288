import type { Migration } from "../migrate.ts";

/**
 * Events lie in a rowid table with a unique index on (session_id, seq), not in a table clustered by it: appends of many
 * sessions then fill the same pages instead of one page per session. Measured with 64 sessions: 1.5 times the rate at
 * 200 bytes per event, 3 times at 6 KB, and less than half the file where an event exceeds a kilobyte.
 *
 * `sessions`, `prompts` and `executors_running` are derived from the events and written only together with them.
 */
export const journal: Migration = {
  name: "0001-journal",
  sql: `
    CREATE TABLE ownership (
      one  INTEGER PRIMARY KEY CHECK (one = 1),
      term INTEGER NOT NULL
    );
    INSERT INTO ownership (one, term) VALUES (1, 0);

    CREATE TABLE sessions (
      id             TEXT PRIMARY KEY NOT NULL,
      task_id        TEXT,
      cwd            TEXT NOT NULL,
      state          TEXT NOT NULL,
      last_active_at TEXT NOT NULL,
      last_seq       INTEGER NOT NULL,
      view           TEXT NOT NULL
    );
    CREATE INDEX sessions_by_activity ON sessions (last_active_at, id);
    CREATE INDEX sessions_by_task ON sessions (task_id) WHERE task_id IS NOT NULL;
    CREATE INDEX sessions_by_cwd ON sessions (cwd);

    CREATE TABLE blobs (
      sha256 TEXT PRIMARY KEY NOT NULL,
      body   TEXT NOT NULL
    );

    CREATE TABLE events (
      session_id TEXT NOT NULL REFERENCES sessions (id),
      seq        INTEGER NOT NULL,
      type       TEXT NOT NULL,
      at         TEXT NOT NULL,
      body       TEXT,
      blob       TEXT REFERENCES blobs (sha256),
      PRIMARY KEY (session_id, seq),
      CHECK ((body IS NULL) <> (blob IS NULL))
    );
    CREATE INDEX events_by_blob ON events (blob) WHERE blob IS NOT NULL;

    CREATE TABLE snapshots (
      session_id TEXT PRIMARY KEY NOT NULL REFERENCES sessions (id),
      version    INTEGER NOT NULL,
      seq        INTEGER NOT NULL,
      state      TEXT NOT NULL
    );

    CREATE TABLE prompts (
      id         TEXT PRIMARY KEY NOT NULL,
      session_id TEXT NOT NULL REFERENCES sessions (id),
      turn       INTEGER,
      state      TEXT NOT NULL,
      text       TEXT NOT NULL
    );

    CREATE TABLE executors_running (
      session_id              TEXT PRIMARY KEY NOT NULL REFERENCES sessions (id),
      id                      TEXT NOT NULL,
      task_id                 TEXT,
      runtime                 TEXT NOT NULL,
      agentctl_url            TEXT,
      agentctl_port           INTEGER,
      container_id            TEXT,
      pid                     INTEGER,
      status                  TEXT NOT NULL,
      supports_session_resume INTEGER NOT NULL,
      supports_workspace_only INTEGER NOT NULL,
      resume_token            TEXT,
      last_message_id         TEXT,
      workspace_path          TEXT NOT NULL,
      worktree_id             TEXT,
      worktree_path           TEXT,
      worktree_branch         TEXT,
      agent_execution_id      TEXT NOT NULL,
      last_seen_at            TEXT NOT NULL,
      error_message           TEXT,
      epoch                   INTEGER NOT NULL
    );

    CREATE TABLE session_env (
      session_id TEXT PRIMARY KEY NOT NULL REFERENCES sessions (id),
      env        TEXT NOT NULL
    );

    CREATE TABLE receipts (
      scope   TEXT NOT NULL,
      key     TEXT NOT NULL,
      request TEXT NOT NULL,
      answer  TEXT NOT NULL,
      PRIMARY KEY (scope, key)
    );

    CREATE TABLE tasks (
      id          TEXT PRIMARY KEY NOT NULL,
      title       TEXT NOT NULL,
      description TEXT NOT NULL,
      created_at  TEXT NOT NULL
    );
    CREATE INDEX tasks_by_age ON tasks (created_at, id);
  `,
};
