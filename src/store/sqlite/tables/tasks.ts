import type { DatabaseSync } from "node:sqlite";
import { rowChecksum } from "../../checksum.ts";
import type { Position } from "../../cursor.ts";
import { isSound, nullable, number, text, type Row } from "../base/row.ts";

export interface TaskRow {
  id: string;
  name: string | null;
  created_at: string;
  last_seq: number;
  /** The chain up to the newest event. */
  head: string;
  /** What lists show of the task, as JSON. */
  view: string;
  /** 0 or 1. */
  is_live: number;
  due_at: string | null;
  /** The first event that cannot be trusted, once that is known. */
  damaged_from: number | null;
}

/** In the order of the checksum, which must not change. */
const columns = [
  "id",
  "name",
  "created_at",
  "last_seq",
  "head",
  "view",
  "is_live",
  "due_at",
  "damaged_from",
] as const;
const all = [...columns, "checksum"];

export const taskWrites = (db: DatabaseSync) => {
  const put = db.prepare(`
    INSERT INTO tasks (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")})
    ON CONFLICT (id) DO UPDATE SET ${all.map((name) => `${name} = excluded.${name}`).join(", ")}`);
  const end = db.prepare(
    "SELECT last_seq, head, damaged_from FROM tasks WHERE id = ?",
  );
  const markOnly = db.prepare("UPDATE tasks SET damaged_from = ? WHERE id = ?");
  const reads = taskReads(db);
  const write = (row: TaskRow): void => {
    const values = columns.map((name) => row[name]);
    put.run(...values, rowChecksum(...values));
  };
  return {
    put: write,
    /** The end of the journal as the row has it, without a look at the rest of the row. */
    end: (
      id: string,
    ): Pick<TaskRow, "last_seq" | "head" | "damaged_from"> | null => {
      const row = end.get(id);
      if (row === undefined) return null;
      return {
        last_seq: number(row, "last_seq"),
        head: text(row, "head"),
        damaged_from: nullable(number, row, "damaged_from"),
      };
    },
    /** A row that is damaged stays so. */
    mark: (id: string, from: number | null): void => {
      const row = reads.row(id);
      if (row === "damaged row") markOnly.run(from, id);
      else if (row !== null) write({ ...row, damaged_from: from });
    },
    row: reads.row,
    ownerOf: reads.byName,
  };
};

/** What a list shows of a task. */
export interface StoredTask extends Position {
  /** JSON; perhaps not, where the row is damaged. */
  view: string;
  /** The row is not what was written. */
  isDamaged: boolean;
  /** The journal is known to be damaged. */
  isMarked: boolean;
}

export interface TaskQuery {
  limit: number;
  from: Position | null;
  state?: string | undefined;
  agent?: string | undefined;
  /** The beginning of the id. */
  prefix?: string | undefined;
  deleted?: boolean | undefined;
}

export interface DueTaskRow {
  task_id: string;
  due_at: string;
}

export const taskReads = (db: DatabaseSync) => {
  const one = db.prepare(`SELECT ${all.join(", ")} FROM tasks WHERE id = ?`);
  const list = db.prepare(LIST_TASKS);
  const begunSo = db.prepare(TASKS_BEGUN_SO);
  const byName = db.prepare(TASK_BY_NAME);
  const live = db.prepare(LIVE_TASKS);
  const due = db.prepare(DUE_TASKS);
  return {
    row: (id: string): TaskRow | "damaged row" | null => {
      const row = one.get(id);
      return row === undefined ? null : (taskRowOf(row) ?? "damaged row");
    },
    one: (id: string): StoredTask | null => {
      const row = one.get(id);
      return row === undefined ? null : storedTask(row);
    },
    list: (query: TaskQuery): StoredTask[] => {
      const { limit, from, state, agent, prefix, deleted } = query;
      const asked = {
        // Behind every time that a task can have been created at.
        at: from?.at ?? LAST,
        id: from?.id ?? LAST,
        state: state ?? null,
        agent: agent ?? null,
        deleted: Number(deleted ?? false),
        limit,
      };
      const rows =
        prefix === undefined
          ? list.all(asked)
          : begunSo.all({ ...asked, prefix, end: `${prefix}${LAST}` });
      return rows.map(storedTask);
    },
    /** The task that has it. */
    byName: (name: string): string | null => {
      const row = byName.get(name);
      return row === undefined ? null : text(row, "id");
    },
    live: (query: { after: string | null; limit: number }): string[] =>
      live.all(query.after ?? "", query.limit).map((row) => text(row, "id")),
    due: (query: {
      by: string;
      after: DueTaskRow | null;
      limit: number;
    }): DueTaskRow[] => {
      const { by, after, limit } = query;
      return due
        .all(by, after?.due_at ?? "", after?.task_id ?? "", limit)
        .map((row) => ({
          task_id: text(row, "id"),
          due_at: text(row, "due_at"),
        }));
    },
  };
};

/** A row whose place in the order is damaged has none: it is left out, because no page could begin behind it. */
const PLACED = "typeof(created_at) = 'text' AND typeof(id) = 'text'";

/** Behind every text that is an id or a time. */
const LAST = "\u{10ffff}";

/** What the view says, where it can be read. */
const told = (field: string): string =>
  `CASE WHEN json_valid(view) THEN json_extract(view, '$.${field}') END`;

const FITS = `
  ${PLACED} AND (created_at, id) < ($at, $id)
  AND (${told("deleted_at")} IS NOT NULL) = $deleted
  AND ($state IS NULL OR ${told("state")} = $state)
  AND ($agent IS NULL OR ${told("agent")} = $agent)`;

export const LIST_TASKS = `
  SELECT ${all.join(", ")} FROM tasks WHERE ${FITS}
  ORDER BY created_at DESC, id DESC LIMIT $limit`;

/** By the primary key: few begin so. */
export const TASKS_BEGUN_SO = `
  SELECT ${all.join(", ")} FROM tasks INDEXED BY sqlite_autoindex_tasks_1
  WHERE id >= $prefix AND id < $end AND ${FITS}
  ORDER BY created_at DESC, id DESC LIMIT $limit`;

export const TASK_BY_NAME = "SELECT id FROM tasks WHERE name = ?";

/** Nothing can be done for a task whose journal is damaged. */
export const LIVE_TASKS = `
  SELECT id FROM tasks WHERE is_live = 1 AND damaged_from IS NULL AND id > ?
  ORDER BY id LIMIT ?`;

export const DUE_TASKS = `
  SELECT id, due_at FROM tasks
  WHERE due_at IS NOT NULL AND damaged_from IS NULL AND due_at <= ? AND (due_at, id) > (?, ?)
  ORDER BY due_at, id LIMIT ?`;

/** Null when the row is not what was written. */
const taskRowOf = (row: Row): TaskRow | null =>
  isSound(row, columns)
    ? {
        id: text(row, "id"),
        name: nullable(text, row, "name"),
        created_at: text(row, "created_at"),
        last_seq: number(row, "last_seq"),
        head: text(row, "head"),
        view: text(row, "view"),
        is_live: number(row, "is_live"),
        due_at: nullable(text, row, "due_at"),
        damaged_from: nullable(number, row, "damaged_from"),
      }
    : null;

const storedTask = (row: Row): StoredTask => ({
  at: String(row["created_at"]),
  id: String(row["id"]),
  view: String(row["view"]),
  isDamaged: taskRowOf(row) === null,
  isMarked: row["damaged_from"] !== null,
});
