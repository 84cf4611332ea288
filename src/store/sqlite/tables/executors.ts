import type { DatabaseSync } from "node:sqlite";
import type { Executor } from "../../../contract/session/session.ts";
import { rowChecksum } from "../../checksum.ts";
import { isSound, text, type Row } from "../base/row.ts";

/** The table has the contract's fields as its columns. They are in the order of the checksum, which must not change. */
const names: readonly (keyof Executor)[] = [
  "id",
  "session_id",
  "task_id",
  "runtime",
  "agentctl_url",
  "agentctl_port",
  "container_id",
  "pid",
  "status",
  "supports_session_resume",
  "supports_workspace_only",
  "resume_token",
  "last_message_id",
  "workspace_path",
  "worktree_id",
  "worktree_path",
  "worktree_branch",
  "agent_execution_id",
  "last_seen_at",
  "error_message",
  "epoch",
];

export const executorColumns: readonly string[] = names;

/** SQLite knows no booleans: these are 0 and 1 there. */
const flags: readonly (keyof Executor)[] = [
  "supports_session_resume",
  "supports_workspace_only",
];

/** The values in the order of the columns: an array crosses to the thread in half the time an object takes. */
export type ExecutorRow = readonly (string | number | null)[];

export const executorRowOf = (executor: Executor): ExecutorRow =>
  names.map((name) => {
    const value = executor[name];
    return typeof value === "boolean" ? Number(value) : value;
  });

/** One row per session: its execution that runs or ran last. */
export const executorWrites = (db: DatabaseSync) => {
  const columns = [...names, "checksum"];
  const put = db.prepare(`
    INSERT INTO executors_running (${columns.join(", ")})
    VALUES (${columns.map(() => "?").join(", ")})
    ON CONFLICT (session_id) DO UPDATE SET
      ${columns.map((name) => `${name} = excluded.${name}`).join(", ")}`);
  const clear = db.prepare(
    "DELETE FROM executors_running WHERE session_id = ?",
  );
  return {
    put: (row: ExecutorRow): void => {
      put.run(...row, rowChecksum(...row));
    },
    clear: (session: string): void => {
      clear.run(session);
    },
  };
};

export interface StoredExecutors {
  /** As JSON. */
  executors: string[];
  /** Sessions whose row is not what was written. */
  damaged: string[];
}

export const executorReads = (db: DatabaseSync) => {
  const all = db.prepare(`
    SELECT ${names.join(", ")}, checksum FROM executors_running
    ORDER BY status NOT IN ('starting', 'ready'), last_seen_at DESC, id DESC`);
  return {
    all: (): StoredExecutors => {
      const stored: StoredExecutors = { executors: [], damaged: [] };
      for (const row of all.all())
        if (isSound(row, names)) stored.executors.push(executorJson(row));
        else stored.damaged.push(text(row, "session_id"));
      return stored;
    },
  };
};

const executorJson = (row: Row): string =>
  JSON.stringify(
    Object.fromEntries(
      names.map((name) => [
        name,
        flags.includes(name) ? row[name] === 1 : row[name],
      ]),
    ),
  );
