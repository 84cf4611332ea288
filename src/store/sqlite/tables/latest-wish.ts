/**
 * When somebody last asked something of a session that an older release has written. Newer releases are told it with every
 * append (`isWish` in the core); this is what can be seen of it in the events of the others.
 */
import type { DatabaseSync } from "node:sqlite";
import { isDamage } from "../base/failure.ts";
import { text } from "../base/row.ts";

/** Null when nothing of the kind can be read. */
export const latestWish = (db: DatabaseSync) => {
  // From the newest event backwards: most sessions have one near their end.
  const newest = db.prepare(`
    SELECT at FROM events WHERE session_id = ? AND (
      type IN (
        'session.created', 'session.imported', 'session.undeleted', 'session.prompt.queued',
        'session.rewind.requested', 'session.handed_off', 'session.turn.cancel_requested')
      OR type = 'session.permission.answered' AND body NOT LIKE '%"by":"policy"%'
      OR type = 'session.prompt.resolved' AND body LIKE '%"action":"drop"%'
      OR type = 'session.resume.requested' AND body LIKE '%"trigger":"request"%')
    ORDER BY seq DESC LIMIT 1`);
  return (session: string): string | null => {
    try {
      const row = newest.get(session);
      return row === undefined ? null : text(row, "at");
    } catch (error) {
      if (!isDamage(error)) throw error;
      return null;
    }
  };
};
