import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { TaskId } from "../../contract/id.ts";
import type { TaskRecord } from "../../runtime/ports.ts";
import type { Position } from "../cursor.ts";
import { text } from "./row.ts";

export type TaskRow = Omit<TaskRecord, "id"> & { id: string };

export const taskWrites = (db: DatabaseSync) => {
  const add = db.prepare(
    "INSERT INTO tasks (id, title, description, created_at) VALUES (?, ?, ?, ?)",
  );
  return {
    add: ({ id, title, description, created_at }: TaskRecord): void => {
      add.run(id, title, description, created_at);
    },
  };
};

export const taskReads = (db: DatabaseSync) => {
  const one = db.prepare("SELECT * FROM tasks WHERE id = ?");
  const newest = db.prepare(
    "SELECT * FROM tasks ORDER BY created_at DESC, id DESC LIMIT ?",
  );
  const following = db.prepare(`
    SELECT * FROM tasks WHERE (created_at, id) < (?, ?)
    ORDER BY created_at DESC, id DESC LIMIT ?`);
  return {
    one: (id: TaskId): TaskRow | null => {
      const row = one.get(id);
      return row === undefined ? null : taskOf(row);
    },
    list: (query: { limit: number; from: Position | null }): TaskRow[] => {
      const { limit, from } = query;
      const rows =
        from === null
          ? newest.all(limit)
          : following.all(from.at, from.id, limit);
      return rows.map(taskOf);
    },
  };
};

const taskOf = (row: Record<string, SQLOutputValue>): TaskRow => ({
  id: text(row, "id"),
  title: text(row, "title"),
  description: text(row, "description"),
  created_at: text(row, "created_at"),
});
