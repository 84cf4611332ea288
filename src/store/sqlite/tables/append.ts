/** An append as rows, and its place in the journal. */
import type { Event } from "../../../contract/event/event.ts";
import { eventJson } from "../../../contract/event/event-json.ts";
import type { PlaceRef } from "../../../contract/base/place.ts";
import { placeKey } from "../../../contract/base/place-key.ts";
import type {
  Append,
  Attention,
  Derived,
  PermissionChange,
  PromptChange,
  Receipt,
  Snapshot,
} from "../../../runtime/ports/store.ts";
import type { OutboxEntry } from "../../../runtime/ports/webhook-store.ts";
import { lookupOf, type Lookup } from "../../lookup.ts";
import { isCheckpoint, neededBy } from "../../stored.ts";
import { executorRowOf, type ExecutorRow } from "./executors.ts";
import type { EventRow } from "./events.ts";
import type { CheckpointRow } from "./needed.ts";
import type { SessionRow } from "./session-row.ts";

/** What is derived from a journal, as rows. */
export interface DerivedRows {
  session: SessionRow;
  lookup: Lookup;
  executor: ExecutorRow | null;
  attention: Attention | null;
  prompts: readonly PromptChange[];
  permissions: readonly PermissionChange[];
}

/** Made of strings on the main thread, which crosses to the thread faster than objects do. */
export interface AppendRows extends DerivedRows {
  term: number;
  after: number;
  events: readonly EventRow[];
  checkpoints: readonly CheckpointRow[];
  snapshot: Snapshot | null;
  receipt: Receipt | null;
  env: string | null;
  /** The task of the session has to be told of the events. */
  news: boolean;
  outbox: readonly OutboxEntry[];
  /** Whoever follows all sessions is not told of it. */
  quiet: boolean;
}

export const rowsOf = (change: Append): AppendRows => ({
  ...derivedRows(change, change.after + change.events.length),
  // One claim covers all places of a home.
  term: change.place.term,
  after: change.after,
  events: change.events.map((event) => ({
    seq: event.seq,
    type: event.type,
    at: event.at,
    body: eventJson(event),
  })),
  checkpoints: checkpointRowsOf(change.events, change.view.place),
  snapshot: change.snapshot,
  receipt: change.receipt,
  env: change.env === null ? null : JSON.stringify(change.env),
  news: change.news && change.events.length > 0,
  outbox: change.outbox ?? [],
  quiet: change.quiet ?? false,
});

export const checkpointRowsOf = (
  events: readonly Event[],
  place: PlaceRef,
): CheckpointRow[] =>
  events.filter(isCheckpoint).map((event) => ({
    seq: event.seq,
    ...neededBy(event, place),
    place: placeKey(place),
  }));

export const derivedRows = (
  { view, executor, attention, prompts, permissions }: Derived,
  last_seq: number,
): DerivedRows => ({
  session: {
    id: view.id,
    task_id: view.task_id,
    cwd: view.cwd,
    state: view.state,
    deleted_at: view.deleted_at,
    last_active_at: view.last_active_at,
    last_seq,
    view: JSON.stringify(view),
    last_wish_at: view.last_wish_at,
    place: placeKey(view.place),
  },
  lookup: lookupOf(view),
  executor: executor === null ? null : executorRowOf(executor),
  attention,
  prompts,
  permissions,
});
