import type { Event } from "../../contract/event.ts";
import type { SessionId } from "../../contract/id.ts";
import { RepriseError } from "../../contract/problem.ts";
import type { Store } from "../ports/store.ts";

const PAGE = 1000;

/** The journal of a session, from an event on, page by page, so that a long one does not hold up others. */
export async function* eventsOf(
  store: Store,
  session: SessionId,
  after = 0,
): AsyncGenerator<Event> {
  let cursor = after;
  for (;;) {
    const events = await store.events(session, cursor, PAGE);
    yield* events;
    const last = events.at(-1);
    if (last === undefined) return;
    cursor = last.seq;
  }
}

/** The same, up to an event that is known to be there. */
export async function* eventsUpTo(
  store: Pick<Store, "events">,
  session: SessionId,
  { after, last }: { after: number; last: number },
): AsyncGenerator<Event> {
  let cursor = after;
  while (cursor < last) {
    const limit = Math.min(PAGE, last - cursor);
    const events = await store.events(session, cursor, limit);
    yield* events;
    const seen = events.at(-1)?.seq;
    if (seen === undefined)
      throw new RepriseError(
        "session_not_found",
        `Session ${session} was removed while it was read.`,
      );
    cursor = seen;
  }
}
