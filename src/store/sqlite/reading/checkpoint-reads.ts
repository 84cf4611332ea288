import type { DatabaseSync } from "node:sqlite";
import { isDamage } from "../base/failure.ts";
import { SELECT_LINKED_EVENTS, soundBody } from "../tables/linked-events.ts";
import { number } from "../base/row.ts";

export interface CheckpointBodies {
  /** Events that tell of checkpoints, in order. */
  bodies: string[];
  /** The session, where more or others were written: its journal has to be read. */
  doubtful: string[];
}

/**
 * What the index of checkpoints leads to. Each event must fit the chain between its neighbours, and there must be as many
 * as the session's row counts: an index that has lost one looks like one that never had it.
 */
export const checkpointReads = (db: DatabaseSync) => {
  const select = db.prepare(`
    ${SELECT_LINKED_EVENTS}
    WHERE events.type IN ('session.checkpoint.saved', 'session.checkpoint.partial', 'session.checkpoint.failed')
    AND events.session_id = ? ORDER BY events.seq`);
  const count = db.prepare(
    "SELECT checkpoints, damaged_from FROM sessions WHERE id = ?",
  );

  /** Null where they are not what was written. The count is read first: appends in between make more rows, never fewer. */
  const compared = (session: string): string[] | null => {
    const row = count.get(session);
    if (row === undefined) return [];
    if (row["damaged_from"] !== null) return null;
    const expected = number(row, "checkpoints");
    const bodies = select.all(session).map(soundBody);
    const sound = bodies.filter((body) => body !== null);
    return sound.length === bodies.length && sound.length >= expected
      ? sound
      : null;
  };

  return {
    /** Of a journal that is known to be damaged only what is before the damage is served. */
    one: (session: string): CheckpointBodies => {
      const doubtful = { bodies: [], doubtful: [session] };
      try {
        const bodies = compared(session);
        return bodies === null ? doubtful : { bodies, doubtful: [] };
      } catch (error) {
        if (!isDamage(error)) throw error;
        return doubtful;
      }
    },
  };
};
