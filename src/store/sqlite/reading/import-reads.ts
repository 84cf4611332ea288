import type { DatabaseSync } from "node:sqlite";
import { unlessDamaged } from "../base/failure.ts";
import { SELECT_LINKED_EVENTS, soundBody } from "../tables/linked-events.ts";

export interface ImportQuery {
  session: string;
  after: number;
}

/** The import of a session that came from another home. */
export const importReads = (db: DatabaseSync) => {
  const behind = db.prepare(`${SELECT_LINKED_EVENTS}
    WHERE events.session_id = ? AND events.seq > ? AND events.type = 'session.imported'
    ORDER BY events.seq DESC`);
  return {
    /** The newest one behind an event, also where there is damage between them; null where none is what was written. */
    behind: ({ session, after }: ImportQuery): string | null =>
      unlessDamaged(
        () =>
          behind
            .all(session, after)
            .map(soundBody)
            .find((body) => body !== null) ?? null,
      ),
  };
};
