import { eventsUpTo } from "./journal-reader.ts";
import type { JournalStore } from "./journal-store.ts";
import type { Journaled, Kind } from "./journaled.ts";

interface Deps<K extends Kind> {
  kind: Journaled<K>;
  store: JournalStore<K>;
}

/** The state that a journal tells of: its newest snapshot, if there is any, and the events behind it. */
export const foldJournal = async <K extends Kind>(
  deps: Deps<K>,
  id: K["id"],
): Promise<K["state"]> => {
  const { kind, store } = deps;
  const { snapshots } = kind;
  const stored = await store.load(id, snapshots?.version ?? 0);
  if (stored === null) throw kind.notFound(id, "unknown");
  let state: K["state"] | null =
    stored.snapshot === null || snapshots === null
      ? null
      : snapshots.fromText(stored.snapshot.state);
  const snapshot = state?.seq ?? 0;
  const behind = { after: snapshot, last: stored.last_seq };
  for await (const event of eventsUpTo(deps, id, behind))
    state = kind.evolve(state, event);
  if (state === null) throw new Error(`the journal of ${id} is empty`);
  if (snapshots === null) return state;
  return snapshots.complete(state, snapshot, (seq) => oneEvent(deps, id, seq));
};

const oneEvent = async <K extends Kind>(
  deps: Deps<K>,
  id: K["id"],
  seq: number,
): Promise<K["event"]> => {
  const one = { after: seq - 1, last: seq };
  for await (const event of eventsUpTo(deps, id, one)) return event;
  throw deps.kind.notFound(id, "removed meanwhile");
};
