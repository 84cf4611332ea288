import type { DatabaseSync } from "node:sqlite";
import type { TaskRecord } from "../../../runtime/ports/store.ts";
import { rowChecksum } from "../../checksum.ts";
import type { Position } from "../../cursor.ts";
import { isSound, text, type Row } from "../base/row.ts";

export type TaskRow = Omit<TaskRecord, "id"> & { id: string };

/** In the order of the checksum, which must not change. */
const columns = ["id", "title", "description", "created_at"] as const;

export const taskWrites = (db: DatabaseSync) => {
  const add = db.prepare(
    "INSERT INTO tasks (id, title, description, created_at, checksum) VALUES (?, ?, ?, ?, ?)",
  );
  return {
    add: ({ id, title, description, created_at }: TaskRecord): void => {
      const values = [id, title, description, created_at] as const;
      add.run(...values, rowChecksum(...values));
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
    one: (id: string): TaskRow | null => {
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

/** Tasks are told nowhere else, so a damaged one is given as it is, with a mark. */
const taskOf = (row: Row): TaskRow => ({
  id: text(row, "id"),
  title: text(row, "title"),
  description: text(row, "description"),
  created_at: text(row, "created_at"),
  ...(isSound(row, columns) ? {} : { damaged: true }),
});
