/** Where the next event of a session goes, and whether it may. */
import type { DatabaseSync } from "node:sqlite";
import { chainStart } from "../../checksum.ts";
import { refuseDamaged, refuseSeq, type Refusal } from "../../refusal.ts";
import { isDamage } from "../base/failure.ts";
import { eventWrites } from "./events.ts";
import type { JournalEnd } from "./session-row.ts";
import { sessionWrites } from "./sessions.ts";

export interface Place extends JournalEnd {
  /** How the session's row is written: it is new, it changes, or nothing of it can be kept. */
  row: "add" | "change" | "replace";
  /** The last wish that the row tells of, where it changes. */
  last_wish_at?: string;
}

export const journalEnds = (db: DatabaseSync) => {
  const sessions = sessionWrites(db);
  const events = eventWrites(db);

  /** The row and the newest event must say the same: this is all that most appends need. */
  const agreed = (id: string, after: number): Place | null => {
    try {
      const end = sessions.end(id);
      if (end === null || end.last_seq !== after || end.damaged_from !== null)
        return null;
      if (events.chainAt(id, after) !== end.head) return null;
      return { ...end, row: "change" };
    } catch (error) {
      if (!isDamage(error)) throw error;
      return null;
    }
  };

  /** The end as the events themselves have it. */
  const byEvents = (id: string): JournalEnd & { last_seq: number } => {
    const last_seq = events.lastSeq(id);
    return {
      last_seq,
      head: events.chainAt(id, last_seq) ?? chainStart(id),
      checkpoints: events.countCheckpoints(id),
      damaged_from: null,
    };
  };

  return {
    find: (id: string, after: number): Place | Refusal => {
      const place = agreed(id, after);
      if (place !== null) return place;
      const row = sessions.row(id);
      if (row === "damaged row") {
        const end = byEvents(id);
        return refuseSeq(id, after, end.last_seq) ?? { ...end, row: "replace" };
      }
      const refusal = refuseSeq(id, after, row?.last_seq ?? 0);
      if (row === null)
        return (
          refusal ?? {
            head: chainStart(id),
            checkpoints: 0,
            damaged_from: null,
            row: "add",
          }
        );
      if (row.damaged_from !== null) return refuseDamaged(id, row.damaged_from);
      return refusal ?? refuseDamaged(id, after);
    },
    byEvents,
  };
};
