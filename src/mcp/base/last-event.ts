import type { Client } from "../../client/client.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type { Event } from "../../contract/event/event.ts";

const PAGE = 1000;

/** What the newest event says of those that say something; null when none does. Read from the end of the journal. */
export const fromLastEvent = async <T>(
  client: Client,
  session: { id: SessionId; last_seq: number },
  read: (event: Event) => T | null,
): Promise<T | null> => {
  for (let before = session.last_seq; before > 0; before -= PAGE) {
    const after = Math.max(0, before - PAGE);
    const found = await lastBetween(client, session.id, [after, before], read);
    if (found !== null) return found;
  }
  return null;
};

const lastBetween = async <T>(
  client: Client,
  session: SessionId,
  [after, until]: [after: number, until: number],
  read: (event: Event) => T | null,
): Promise<T | null> => {
  let found: T | null = null;
  for (let from = after; from < until;) {
    const { events } = await client.listEvents(session, {
      after: from,
      limit: until - from,
    });
    for (const event of events) found = read(event) ?? found;
    const last = events.at(-1);
    if (last === undefined) break;
    from = last.seq;
  }
  return found;
};
