/** What tasks were not told yet of what happened in their sessions: a row per session. It only says where to look. */
import type { DatabaseSync } from "node:sqlite";
import type { Row } from "../base/row.ts";

export interface NewsRow {
  session_id: string;
  task_id: string;
  from_seq: number;
  to_seq: number;
}

export const taskNewsWrites = (db: DatabaseSync) => {
  const put = db.prepare(`
    INSERT INTO task_news (session_id, task_id, from_seq, to_seq) VALUES (?, ?, ?, ?)
    ON CONFLICT (session_id) DO UPDATE SET task_id = excluded.task_id, to_seq = excluded.to_seq`);
  const drop = db.prepare(
    "DELETE FROM task_news WHERE session_id = ? AND to_seq <= ?",
  );
  const shorten = db.prepare(
    "UPDATE task_news SET from_seq = max(from_seq, ?) WHERE session_id = ?",
  );
  return {
    /** What was not told before stays untold. */
    put: ({ session_id, task_id, from_seq, to_seq }: NewsRow): void => {
      put.run(session_id, task_id, from_seq, to_seq);
    },
    forget: (session: string, up_to_seq: number): void => {
      drop.run(session, up_to_seq);
      shorten.run(up_to_seq + 1, session);
    },
  };
};

export interface NewsQuery {
  after: string | null;
  limit: number;
}

export const taskNewsReads = (db: DatabaseSync) => {
  const one = db.prepare("SELECT * FROM task_news WHERE session_id = ?");
  const all = db.prepare(ALL_NEWS);
  return {
    one: (session: string): NewsRow | null => {
      const row = one.get(session);
      return row === undefined ? null : newsRow(row);
    },
    all: ({ after, limit }: NewsQuery): NewsRow[] =>
      all.all(after ?? "", limit).map(newsRow),
  };
};

export const ALL_NEWS = `
  SELECT * FROM task_news WHERE session_id > ? AND typeof(session_id) = 'text'
  ORDER BY session_id LIMIT ?`;

/** A row that is damaged ends no list: whoever gets it sees what is in it. */
const newsRow = (row: Row): NewsRow => ({
  session_id: String(row["session_id"]),
  task_id: String(row["task_id"]),
  from_seq: Number(row["from_seq"]),
  to_seq: Number(row["to_seq"]),
});
