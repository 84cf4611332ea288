import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Executor } from "../../contract/session.ts";
import { text } from "./row.ts";

/** The table has the contract's fields as its columns. */
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

/** SQLite knows no booleans: these are 0 and 1 there. */
const flags: readonly (keyof Executor)[] = [
  "supports_session_resume",
  "supports_workspace_only",
];

/** The values in the order of the columns: an array crosses to the thread in half the time an object takes. */
export type ExecutorRow = readonly SQLInputValue[];

export const executorRowOf = (executor: Executor): ExecutorRow =>
  names.map((name) => {
    const value = executor[name];
    return typeof value === "boolean" ? Number(value) : value;
  });

/** One row per session: its execution that runs or ran last. */
export const executorWrites = (db: DatabaseSync) => {
  const put = db.prepare(`
    INSERT INTO executors_running (${names.join(", ")})
    VALUES (${names.map(() => "?").join(", ")})
    ON CONFLICT (session_id) DO UPDATE SET
      ${names.map((name) => `${name} = excluded.${name}`).join(", ")}`);
  return {
    put: (row: ExecutorRow): void => {
      put.run(...row);
    },
  };
};

export const executorReads = (db: DatabaseSync) => {
  const fields = names.map((name) =>
    flags.includes(name)
      ? `'${name}', json(iif(${name}, 'true', 'false'))`
      : `'${name}', ${name}`,
  );
  const all = db.prepare(`
    SELECT json_object(${fields.join(", ")}) AS json FROM executors_running
    ORDER BY status NOT IN ('starting', 'ready'), last_seen_at DESC, id DESC`);
  return { all: (): string[] => all.all().map((row) => text(row, "json")) };
};
