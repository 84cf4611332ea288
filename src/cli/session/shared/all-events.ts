import type { Client } from "../../../client/client.ts";
import type { Event } from "../../../contract/event/event.ts";
import type { SessionId } from "../../../contract/base/id.ts";

/** Every event there is after a cursor, page by page. */
export async function* allEvents(
  client: Client,
  id: SessionId,
  after = 0,
): AsyncGenerator<Event, void, undefined> {
  for (let cursor = after; ;) {
    const page = await client.listEvents(id, { after: cursor, limit: 5000 });
    yield* page.events;
    const last = page.events.at(-1);
    if (last === undefined || page.next === null) return;
    cursor = last.seq;
  }
}
