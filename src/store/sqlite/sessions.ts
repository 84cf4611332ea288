import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Position } from "../cursor.ts";
import { number, nullable, text } from "./row.ts";
import { conditionOf, type SessionQuery } from "./session-filter.ts";
import {
  sessionColumns,
  sessionRowOf,
  sessionValues,
  type JournalEnd,
  type WholeSessionRow,
} from "./session-row.ts";

const columns = sessionColumns.join(", ");

export const sessionWrites = (db: DatabaseSync) => {
  const one = db.prepare(`SELECT ${columns} FROM sessions WHERE id = ?`);
  const end = db.prepare(
    "SELECT last_seq, head, checkpoints, damaged_from FROM sessions WHERE id = ?",
  );
  const add = db.prepare(
    `INSERT INTO sessions (${columns}) VALUES (${sessionColumns.map(() => "?").join(", ")})`,
  );
  // A session's task and directory are settled by its first event: leaving them alone spares two indexes at every append.
  const settled = new Set(["id", "task_id", "cwd"]);
  const changing = sessionColumns.filter((name) => !settled.has(name));
  const change = db.prepare(
    `UPDATE sessions SET ${changing.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`,
  );
  const replace = db.prepare(
    `UPDATE sessions SET ${sessionColumns.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`,
  );
  return {
    /** The end of the journal as the row has it, without a look at the rest of the row. */
    end: (id: string): (JournalEnd & { last_seq: number }) | null => {
      const row = end.get(id);
      if (row === undefined) return null;
      return {
        last_seq: number(row, "last_seq"),
        head: text(row, "head"),
        checkpoints: number(row, "checkpoints"),
        damaged_from: nullable(number, row, "damaged_from"),
      };
    },
    row: (id: string): WholeSessionRow | "damaged row" | null => {
      const row = one.get(id);
      return row === undefined ? null : (sessionRowOf(row) ?? "damaged row");
    },
    add: (row: WholeSessionRow): void => {
      add.run(...sessionValues(row));
    },
    change: (row: WholeSessionRow): void => {
      change.run(...sessionValues(row).slice(settled.size), row.id);
    },
    /** Also what is settled, where the row cannot be trusted. */
    replace: (row: WholeSessionRow): void => {
      replace.run(...sessionValues(row), row.id);
    },
  };
};

/** What lists show of a session, and what they show besides. */
export interface StoredView {
  view: string;
  deleted_at: string | null;
  damaged_from: number | null;
}

export interface ListedSession extends Position {
  /** Null where the row is not what was written. */
  stored: StoredView | null;
}

export const sessionReads = (db: DatabaseSync) => {
  const one = db.prepare(`SELECT ${columns} FROM sessions WHERE id = ?`);
  const damaged = db.prepare(
    "SELECT id FROM sessions WHERE damaged_from IS NOT NULL ORDER BY id LIMIT ?",
  );
  const row = (id: string): WholeSessionRow | "damaged row" | null => {
    const found = one.get(id);
    return found === undefined ? null : (sessionRowOf(found) ?? "damaged row");
  };
  const prepared = new Map<string, StatementSync>();
  const list = (where: string): StatementSync => {
    const known = prepared.get(where);
    if (known !== undefined) return known;
    const statement = db.prepare(`
      SELECT ${columns} FROM sessions ${where}
      ORDER BY last_active_at DESC, id DESC LIMIT ?`);
    prepared.set(where, statement);
    return statement;
  };
  return {
    row,
    view: (id: string): StoredView | "damaged row" | null => {
      const found = row(id);
      return found === null || found === "damaged row"
        ? found
        : storedView(found);
    },
    list: (query: SessionQuery): ListedSession[] => {
      const { where, values } = conditionOf(query);
      return list(where)
        .all(...values, query.limit)
        .map((row) => {
          const sound = sessionRowOf(row);
          return {
            at: text(row, "last_active_at"),
            id: text(row, "id"),
            stored: sound && storedView(sound),
          };
        });
    },
    damaged: (limit: number): string[] =>
      damaged.all(limit).map((row) => text(row, "id")),
  };
};

const storedView = ({
  view,
  deleted_at,
  damaged_from,
}: WholeSessionRow): StoredView => ({ view, deleted_at, damaged_from });
