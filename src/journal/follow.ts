import type { CommitFeed } from "./commit-feed.ts";
import { PAGE } from "./journal-reader.ts";
import type { JournalStore } from "./journal-store.ts";
import type { Kind } from "./journaled.ts";

/** A follower that falls this far behind reads from the store again instead of holding events in memory. */
const MAX_WAITING = 10_000;
const MAX_WAITING_CHARACTERS = 4 * 1024 * 1024;

interface Followed<K extends Kind> {
  commits: CommitFeed<K>;
  events: JournalStore<K>["events"];
  /** How many characters an event has as it is stored. */
  lengthOf: (event: K["event"]) => number;
}

/**
 * Everything after a cursor, without end: what is stored first, then what happens, with no gap between (P2). It throws when
 * what is followed was removed, or another server has taken it over.
 */
export async function* follow<K extends Kind>(
  { commits, events, lengthOf }: Followed<K>,
  id: K["id"],
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly K["event"][]> {
  let cursor = after;
  let waiting: K["event"][] = [];
  let characters = 0;
  /** Whether `waiting` misses something that only the store has. */
  let behind = true;
  /** Why nothing more is told, once that is so. */
  const released: Error[] = [];
  let wake: () => void = () => undefined;
  const leave = commits.on(
    id,
    (committed) => {
      for (const event of committed.events) characters += lengthOf(event);
      if (
        waiting.length + committed.events.length > MAX_WAITING ||
        characters > MAX_WAITING_CHARACTERS
      ) {
        behind = true;
        waiting = [];
      } else for (const event of committed.events) waiting.push(event);
      wake();
    },
    (why) => {
      released.push(why);
      wake();
    },
  );
  const stop = (): void => wake();
  signal.addEventListener("abort", stop);
  try {
    while (!signal.aborted) {
      if (released[0] !== undefined) throw released[0];
      let batch: readonly K["event"][];
      if (behind) {
        waiting = [];
        characters = 0;
        behind = false;
        batch = await events(id, cursor, PAGE);
        // There may be more; what came meanwhile waits, and is looked through when the store has nothing newer.
        if (batch.length > 0) behind = true;
      } else {
        const known = cursor;
        batch = waiting.filter((event) => event.seq > known);
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
      } else if (
        waiting.length === 0 &&
        !behind &&
        released.length === 0 &&
        !signal.aborted
      ) {
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
