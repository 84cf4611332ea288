import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Position } from "../../cursor.ts";
import { unlessDamaged } from "../base/failure.ts";
import { number, nullable, text, type Row } from "../base/row.ts";
import {
  conditionOf,
  isByStateAlone,
  orderColumn,
  type SessionQuery,
} from "./session-filter.ts";
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
    "SELECT last_seq, head, checkpoints, damaged_from, last_wish_at FROM sessions WHERE id = ?",
  );
  const add = db.prepare(
    `INSERT INTO sessions (${columns}) VALUES (${sessionColumns.map(() => "?").join(", ")})`,
  );
  /** Leaving a column alone spares the indexes that it is in. */
  const update = (settled: readonly string[]) => {
    const isChanged = sessionColumns.map((name) => !settled.includes(name));
    const changed = sessionColumns.filter((_, i) => isChanged[i]);
    const statement = db.prepare(
      `UPDATE sessions SET ${changed.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`,
    );
    return (row: WholeSessionRow): void => {
      const values = sessionValues(row).filter((_, i) => isChanged[i]);
      statement.run(...values, row.id);
    };
  };
  // A session's task, place and directory are settled by its first event, and most appends hold no wish.
  const settled = ["id", "task_id", "place", "cwd"];
  return {
    /** The end of the journal as the row has it, without a look at the rest of the row. */
    end: (
      id: string,
    ): (JournalEnd & { last_seq: number; last_wish_at: string }) | null => {
      const row = end.get(id);
      if (row === undefined) return null;
      return {
        last_seq: number(row, "last_seq"),
        head: text(row, "head"),
        checkpoints: number(row, "checkpoints"),
        damaged_from: nullable(number, row, "damaged_from"),
        last_wish_at: text(row, "last_wish_at"),
      };
    },
    row: (id: string): WholeSessionRow | "damaged row" | null => {
      const row = one.get(id);
      return row === undefined ? null : (sessionRowOf(row) ?? "damaged row");
    },
    add: (row: WholeSessionRow): void => {
      add.run(...sessionValues(row));
    },
    change: update(settled),
    /** Everything but the last wish, which is the same as before. */
    changeBesidesWish: update([...settled, "last_wish_at"]),
    /** Also what is settled, where the row cannot be trusted. */
    replace: update(["id"]),
  };
};

/** What lists show of a session, and what they show besides. */
export interface StoredView {
  view: string;
  deleted_at: string | null;
  damaged_from: number | null;
  last_wish_at: string;
}

export interface ListedSession extends Position {
  /** Null where the row is not what was written. */
  stored: StoredView | null;
}

/** A list as SQL. */
export const listQuery = (
  query: SessionQuery,
): { sql: string; values: SQLInputValue[] } => {
  const { states, ...others } = query;
  const order = `ORDER BY ${orderColumn(query)} DESC, id DESC LIMIT ?`;
  if (states === undefined || !isByStateAlone(query)) {
    const { where, values } = conditionOf(query);
    const sql = `SELECT ${columns} FROM sessions ${where} ${order}`;
    return { sql, values: [...values, query.limit] };
  }
  // Of each state so many as the page has: they lie in order in the index by state.
  const { where, values } = conditionOf(others);
  const ofState = `SELECT id FROM (SELECT id FROM sessions ${where} AND state = ? ${order})`;
  const ids = states.map(() => ofState).join(" UNION ALL ") || "NULL";
  return {
    sql: `SELECT ${columns} FROM sessions WHERE id IN (${ids}) ${order}`,
    values: [
      ...states.flatMap((state) => [...values, state, query.limit]),
      query.limit,
    ],
  };
};

/** From one place to the next in the index: what it costs grows with the places, not with the sessions. */
export const PLACES = `
  WITH RECURSIVE found (place) AS (
    SELECT min(place) FROM sessions
    UNION ALL
    SELECT (SELECT min(place) FROM sessions WHERE place > found.place) FROM found WHERE found.place IS NOT NULL
  )
  SELECT place FROM found WHERE place IS NOT NULL`;

export const sessionReads = (db: DatabaseSync) => {
  const one = db.prepare(`SELECT ${columns} FROM sessions WHERE id = ?`);
  const damaged = db.prepare(
    "SELECT id FROM sessions WHERE damaged_from IS NOT NULL ORDER BY id LIMIT ?",
  );
  const places = db.prepare(PLACES);
  const ids = db.prepare("SELECT id FROM sessions ORDER BY id");
  const placeOf = db.prepare("SELECT place FROM sessions WHERE id = ?");
  /** Without their index, rows that cannot be read are in the way. */
  const placesOneByOne = (): string[] => {
    const found = new Set<string>();
    for (const { id } of ids.iterate()) {
      const row = unlessDamaged(() => placeOf.get(String(id)) ?? null);
      if (typeof row?.["place"] === "string") found.add(row["place"]);
    }
    return [...found].toSorted();
  };
  const row = (id: string): WholeSessionRow | "damaged row" | null => {
    const found = one.get(id);
    return found === undefined ? null : (sessionRowOf(found) ?? "damaged row");
  };
  const prepared = new Map<string, StatementSync>();
  const list = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = db.prepare(sql);
    prepared.set(sql, statement);
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
      const { sql, values } = listQuery(query);
      return list(sql)
        .all(...values)
        .map((row) => ({
          at: text(row, orderColumn(query)),
          id: text(row, "id"),
          stored: storedViewOf(row),
        }));
    },
    /** The keys of all places that sessions work at. */
    places: (): string[] =>
      unlessDamaged(() => places.all().map((row) => text(row, "place"))) ??
      placesOneByOne(),
    damaged: (limit: number): string[] =>
      damaged.all(limit).map((row) => text(row, "id")),
  };
};

/** Null where the row is not what was written. */
export const storedViewOf = (row: Row): StoredView | null => {
  const sound = sessionRowOf(row);
  return sound && storedView(sound);
};

const storedView = ({
  view,
  deleted_at,
  damaged_from,
  last_wish_at,
}: WholeSessionRow): StoredView => ({
  view,
  deleted_at,
  damaged_from,
  last_wish_at,
});
