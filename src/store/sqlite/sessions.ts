import { dirname } from "node:path";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { SessionId, TaskId } from "../../contract/id.ts";
import type { SessionFilter } from "../../runtime/ports.ts";
import type { Position } from "../cursor.ts";
import { number, text } from "./row.ts";

export interface SessionRow {
  id: SessionId;
  task_id: TaskId | null;
  cwd: string;
  state: string;
  deleted_at: string | null;
  last_active_at: string;
  last_seq: number;
  /** The whole session as JSON. */
  view: string;
}

export const sessionWrites = (db: DatabaseSync) => {
  const last = db.prepare("SELECT last_seq FROM sessions WHERE id = ?");
  // A session's task and directory are settled by its first event: leaving them alone spares two indexes at every append.
  const put = db.prepare(`
    INSERT INTO sessions (id, task_id, cwd, state, deleted_at, last_active_at, last_seq, view)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
      state = excluded.state, deleted_at = excluded.deleted_at, last_active_at = excluded.last_active_at,
      last_seq = excluded.last_seq, view = excluded.view`);
  return {
    lastSeq: (id: SessionId): number => {
      const row = last.get(id);
      return row === undefined ? 0 : number(row, "last_seq");
    },
    put: (row: SessionRow): void => {
      put.run(
        row.id,
        row.task_id,
        row.cwd,
        row.state,
        row.deleted_at,
        row.last_active_at,
        row.last_seq,
        row.view,
      );
    },
  };
};

/** The filter of the port, its cursor opened. */
export interface SessionQuery extends Omit<SessionFilter, "after"> {
  from: Position | null;
}

export interface ListedSession extends Position {
  view: string;
}

export const sessionReads = (db: DatabaseSync) => {
  const one = db.prepare("SELECT view FROM sessions WHERE id = ?");
  const prepared = new Map<string, StatementSync>();
  const list = (where: string): StatementSync => {
    const known = prepared.get(where);
    if (known !== undefined) return known;
    const statement = db.prepare(`
      SELECT last_active_at, id, view FROM sessions ${where}
      ORDER BY last_active_at DESC, id DESC LIMIT ?`);
    prepared.set(where, statement);
    return statement;
  };
  return {
    one: (id: SessionId): string | null => {
      const row = one.get(id);
      return row === undefined ? null : text(row, "view");
    },
    list: (query: SessionQuery): ListedSession[] => {
      const { where, values } = conditionOf(query);
      return list(where)
        .all(...values, query.limit)
        .map((row) => ({
          at: text(row, "last_active_at"),
          id: text(row, "id"),
          view: text(row, "view"),
        }));
    },
  };
};

/** Only the conditions that are asked for, so that each combination can use its index. */
const conditionOf = (filter: SessionQuery) => {
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  const demand = (condition: string, ...operands: SQLInputValue[]): void => {
    conditions.push(condition);
    values.push(...operands);
  };
  if (filter.task_id !== undefined) demand("task_id = ?", filter.task_id);
  demand(
    filter.deleted === true ? "deleted_at IS NOT NULL" : "deleted_at IS NULL",
  );
  if (filter.cwd !== undefined) demand("cwd = ?", filter.cwd);
  if (filter.near !== undefined) {
    const { above, beneath, beyond } = aroundOf(filter.near);
    demand(
      `id IN (
        SELECT id FROM sessions WHERE cwd IN (SELECT value FROM json_each(?))
        UNION ALL SELECT id FROM sessions WHERE cwd >= ? AND cwd < ?)`,
      JSON.stringify(above),
      beneath,
      beyond,
    );
  }
  if (filter.states !== undefined)
    demand(
      "state IN (SELECT value FROM json_each(?))",
      JSON.stringify(filter.states),
    );
  if (filter.from !== null)
    demand("(last_active_at, id) < (?, ?)", filter.from.at, filter.from.id);
  return { where: `WHERE ${conditions.join(" AND ")}`, values };
};

/** A directory with all above it, and the range in which the paths beneath it lie: "/" comes right before "0". */
const aroundOf = (directory: string) => {
  const above = [directory];
  for (let at = directory; dirname(at) !== at; at = dirname(at))
    above.push(dirname(at));
  const start = directory === "/" ? "" : directory;
  return { above, beneath: `${start}/`, beyond: `${start}0` };
};
