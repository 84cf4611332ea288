import type { SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Operations } from "./operations.ts";

/** Refuses a cursor behind which nothing can be served, and a session that does not exist. */
export const refuseCursor = async (
  operations: Pick<Operations, "showSession" | "journalEnd" | "requireHeard">,
  id: SessionId,
  after: number,
): Promise<void> => {
  await operations.requireHeard(id);
  const { last_seq, damaged_from } = await operations.showSession(id);
  if (after > last_seq) await refuseCursorAhead(operations, id, after);
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
const refuseCursorAhead = async (
  operations: Pick<Operations, "journalEnd">,
  id: SessionId,
  after: number,
): Promise<void> => {
  // A follower may have read an event from the store before its writer heard that it was committed.
  const end = await operations.journalEnd(id);
  if (after <= end) return;
  throw new RepriseError(
    "invalid_request",
    `The newest event of ${id} is number ${end}, so there is nothing after ${after}. Read the session again and follow it from there.`,
  );
};
