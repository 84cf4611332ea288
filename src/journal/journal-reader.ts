import type { JournalStore } from "./journal-store.ts";
import type { Journaled, Kind } from "./journaled.ts";

/** How many events are read at a time. */
export const PAGE = 1000;

type Source<K extends Kind> = Pick<JournalStore<K>, "events">;

/** A journal from an event on, page by page, so that a long one does not hold up others. */
export async function* eventsOf<K extends Kind>(
  store: Source<K>,
  id: K["id"],
  after = 0,
): AsyncGenerator<K["event"]> {
  let cursor = after;
  for (;;) {
    const events = await store.events(id, cursor, PAGE);
    yield* events;
    const last = events.at(-1);
    if (last === undefined) return;
    cursor = last.seq;
  }
}

/** The same, up to an event that is known to be there. */
export async function* eventsUpTo<K extends Kind>(
  { store, kind }: { store: Source<K>; kind: Pick<Journaled<K>, "notFound"> },
  id: K["id"],
  { after, last }: { after: number; last: number },
): AsyncGenerator<K["event"]> {
  let cursor = after;
  while (cursor < last) {
    const limit = Math.min(PAGE, last - cursor);
    const events = await store.events(id, cursor, limit);
    yield* events;
    const seen = events.at(-1)?.seq;
    if (seen === undefined) throw kind.notFound(id, "removed meanwhile");
    cursor = seen;
  }
}
