import { eventJson } from "../../contract/event-json.ts";
import type { Event } from "../../contract/event.ts";
import type { SessionId } from "../../contract/id.ts";
import type { CommitFeed } from "./commit-feed.ts";
import type { Store } from "../ports/store.ts";

const PAGE = 1000;
/** A follower that falls this far behind reads from the store again instead of holding events in memory. */
const MAX_WAITING = 10_000;
const MAX_WAITING_CHARACTERS = 4 * 1024 * 1024;

/** Everything after a cursor, without end: what is stored first, then what happens, with no gap between (P2). */
export async function* follow(
  store: Store,
  commits: CommitFeed,
  session: SessionId,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly Event[]> {
  let cursor = after;
  let waiting: Event[] = [];
  let characters = 0;
  /** Whether `waiting` misses something that only the store has. */
  let behind = true;
  let wake: () => void = () => undefined;
  const leave = commits.on(session, ({ events }) => {
    for (const event of events) characters += eventJson(event).length;
    if (
      waiting.length + events.length > MAX_WAITING ||
      characters > MAX_WAITING_CHARACTERS
    ) {
      behind = true;
      waiting = [];
    } else for (const event of events) waiting.push(event);
    wake();
  });
  const stop = (): void => wake();
  signal.addEventListener("abort", stop);
  try {
    while (!signal.aborted) {
      let batch: readonly Event[];
      if (behind) {
        waiting = [];
        characters = 0;
        behind = false;
        batch = await store.events(session, cursor, PAGE);
        // There may be more; what came meanwhile waits, and is looked through when the store has nothing newer.
        if (batch.length > 0) behind = true;
      } else {
        batch = waiting.filter((event) => event.seq > cursor);
        waiting = [];
        characters = 0;
        const [first] = batch;
        if (first !== undefined && first.seq !== cursor + 1) {
          behind = true;
          continue;
        }
      }
      const last = batch.at(-1);
      if (last !== undefined) {
        cursor = last.seq;
        yield batch;
      } else if (waiting.length === 0 && !behind && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    leave();
    signal.removeEventListener("abort", stop);
  }
}
