import type { DatabaseSync } from "node:sqlite";
import type { Attention } from "../../../runtime/ports/store.ts";
import { text } from "../base/row.ts";

/** A row per session that needs attention, and none for the others. */
export const attentionWrites = (db: DatabaseSync) => {
  const put = db.prepare(`
    INSERT INTO attention (session_id, live, due_at) VALUES (?, ?, ?)
    ON CONFLICT (session_id) DO UPDATE SET live = excluded.live, due_at = excluded.due_at`);
  const clear = db.prepare("DELETE FROM attention WHERE session_id = ?");
  return {
    put: (session: string, { live, due_at }: Attention): void => {
      if (live || due_at !== null) put.run(session, Number(live), due_at);
      else clear.run(session);
    },
  };
};

export interface LiveQuery {
  after: string | null;
  limit: number;
}

export interface DueQuery {
  by: string;
  after: DueRow | null;
  limit: number;
}

export interface DueRow {
  session_id: string;
  due_at: string;
}

/** The rows say where to look; what is done follows from the journal. */
export const attentionReads = (db: DatabaseSync) => {
  const live = db.prepare(LIVE);
  const due = db.prepare(DUE);
  return {
    live: ({ after, limit }: LiveQuery): string[] =>
      live.all(after ?? "", limit).map((row) => text(row, "session_id")),
    due: ({ by, after, limit }: DueQuery): DueRow[] =>
      due
        .all(by, after?.due_at ?? "", after?.session_id ?? "", limit)
        .map((row) => ({
          session_id: text(row, "session_id"),
          due_at: text(row, "due_at"),
        })),
  };
};

export const LIVE = `
  SELECT session_id FROM attention WHERE live = 1 AND session_id > ?
  ORDER BY session_id LIMIT ?`;

export const DUE = `
  SELECT session_id, due_at FROM attention
  WHERE due_at IS NOT NULL AND due_at <= ? AND (due_at, session_id) > (?, ?)
  ORDER BY due_at, session_id LIMIT ?`;
