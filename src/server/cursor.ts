import { RepriseError } from "../contract/problem.ts";
import type { Session } from "../contract/session.ts";

/** Refuses a cursor behind which nothing can be served. */
export const refuseCursor = (session: Session, after: number): void => {
  refuseCursorAhead(session, after);
  const { id, damaged_from } = session;
  if (damaged_from === null || after < damaged_from - 1) return;
  throw new RepriseError(
    "session_damaged",
    `The journal of ${id} is damaged from event ${damaged_from} on: nothing behind event ${after} can be served.`,
    { damaged_from },
  );
};

/**
 * A cursor beyond the newest event was got from another history, as when an older copy of the home was put back.
 * Waiting for the journal to grow up to it would look like silence, and then leave out what it grew by.
 */
const refuseCursorAhead = ({ id, last_seq }: Session, after: number): void => {
  if (after <= last_seq) return;
  throw new RepriseError(
    "invalid_request",
    `The newest event of ${id} is number ${last_seq}, so there is nothing after ${after}. Read the session again and follow it from there.`,
  );
};
