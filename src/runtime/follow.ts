import type { Event } from "../contract/event.ts";
import type { SessionId } from "../contract/id.ts";
import type { Bulletin } from "./bulletin.ts";
import type { Store } from "./ports.ts";

const PAGE = 1000;
/** A follower that falls this far behind reads from the store again instead of holding events in memory. */
const MOST_WAITING = 10_000;

/** Everything after a cursor, without end: what is stored first, then what happens, with no gap between (P2). */
export async function* follow(
  store: Store,
  bulletin: Bulletin,
  session: SessionId,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly Event[]> {
  let cursor = after;
  let waiting: Event[] = [];
  let wake: () => void = () => undefined;
  const leave = bulletin.on(session, ({ events }) => {
    if (waiting.length < MOST_WAITING) waiting.push(...events);
    wake();
  });
  const stop = (): void => wake();
  signal.addEventListener("abort", stop);
  try {
    while (!signal.aborted) {
      const fresh = waiting.filter((event) => event.seq > cursor);
      waiting = [];
      const connected = fresh[0]?.seq === cursor + 1;
      const batch =
        connected && isUnbroken(fresh)
          ? fresh
          : await store.events(session, cursor, PAGE);
      const last = batch.at(-1);
      if (last !== undefined) {
        cursor = last.seq;
        yield batch;
        continue;
      }
      if (waiting.length === 0 && !signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    leave();
    signal.removeEventListener("abort", stop);
  }
}

const isUnbroken = (events: readonly Event[]): boolean =>
  (events.at(-1)?.seq ?? 0) - (events[0]?.seq ?? 0) === events.length - 1;
