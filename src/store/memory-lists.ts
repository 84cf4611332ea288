/** Lists of what the store in memory holds. */
import type { SessionId } from "../contract/base/id.ts";
import type { Directory, PlaceRef } from "../contract/base/place.ts";
import { isSamePlace, placeKey } from "../contract/base/place-key.ts";
import type { Executor, Session } from "../contract/session/session.ts";
import type {
  Attention,
  DueSession,
  MessageStart,
  MessageStarts,
  PermissionChange,
  SessionFilter,
  Snapshot,
} from "../runtime/ports/store.ts";
import { isOneInsideTheOther } from "../kit/files/is-inside.ts";
import { newestFirst, pageOf, positionOf } from "./cursor.ts";
import { isLookedFor } from "./lookup.ts";
import { startOf } from "./message-start.ts";
import { storedEvent, storedExecutor, storedSession } from "./stored.ts";

/** Everything is held as JSON, so that nobody shares an object with the store. */
export interface MemoryRow {
  events: string[];
  view: string;
  executor: string | null;
  attention: Attention | null;
  /** By version. */
  snapshots: ReadonlyMap<number, Snapshot>;
  env: string;
  permissions: Map<string, Required<PermissionChange>>;
  /** The number of its newest change. */
  changed: number;
}

/** Where the newest messages of a journal begin. */
export const startsIn = (
  events: readonly string[],
  limit: number,
): MessageStarts => {
  const starts: MessageStart[] = [];
  let bytes = 0;
  let reached = events.length + 1;
  for (const json of events.toReversed()) {
    const event = storedEvent(json);
    reached = event.seq;
    bytes += Buffer.byteLength(json);
    const start = startOf(event);
    if (start === null) continue;
    starts.push({ seq: event.seq, bytes, ...start });
    bytes = 0;
    if (starts.length === limit) break;
  }
  return { starts, rest: bytes, reached };
};

export const sessionsIn = (
  rows: Iterable<MemoryRow>,
  filter: SessionFilter,
) => {
  const { task_id, cwd, near, states, prefix } = filter;
  const all = [...rows]
    .map((row) => storedSession(row.view))
    .filter((view) => (view.deleted_at !== null) === (filter.deleted ?? false))
    .filter((view) => task_id === undefined || view.task_id === task_id)
    .filter(
      (view) => cwd === undefined || (isAt(view, cwd) && view.cwd === cwd.path),
    )
    .filter(
      (view) =>
        near === undefined ||
        (isAt(view, near) && isOneInsideTheOther(view.cwd, near.path)),
    )
    .filter((view) => states === undefined || states.includes(view.state))
    .filter((view) => view.id.startsWith(prefix ?? ""))
    .filter((view) => isLookedFor(view, filter))
    .map((view) => ({
      at: orderOf(view, filter),
      id: view.id,
      view,
    }));
  const page = cut(all, filter);
  return { sessions: page.rows.map((row) => row.view), next: page.next };
};

const orderOf = (
  view: Session,
  { order, prefix }: Pick<SessionFilter, "order" | "prefix">,
): string => {
  if (prefix !== undefined) return view.id;
  return order === "wish" ? view.last_wish_at : view.last_active_at;
};

const isAt = (view: Session, { place }: Directory): boolean =>
  isSamePlace(view.place, place);

export const placeIn = (row: MemoryRow | undefined): PlaceRef | null =>
  row === undefined ? null : storedSession(row.view).place;

export const placesIn = (rows: Iterable<MemoryRow>): PlaceRef[] => {
  const found = new Map<string, PlaceRef>();
  for (const row of rows) {
    const { place } = storedSession(row.view);
    found.set(placeKey(place), place);
  }
  return [...found].sort(([a], [b]) => compared(a, b)).map(([, at]) => at);
};

const RUNNING: readonly string[] = ["starting", "ready"];

export const executorsIn = (rows: Iterable<MemoryRow>): Executor[] =>
  [...rows]
    .flatMap((row) => (row.executor ? [storedExecutor(row.executor)] : []))
    .map((executor) => ({
      at: executor.last_seen_at,
      id: executor.id,
      rank: RUNNING.includes(executor.status) ? 0 : 1,
      executor,
    }))
    .sort((a, b) => a.rank - b.rank || newestFirst(a, b))
    .map(({ executor }) => executor);

export const liveIn = (
  rows: ReadonlyMap<SessionId, MemoryRow>,
  after: SessionId | null,
  limit: number,
): SessionId[] =>
  [...rows]
    .filter(([id, row]) => row.attention?.live === true && id > (after ?? ""))
    .map(([id]) => id)
    .toSorted()
    .slice(0, limit);

export const dueIn = (
  rows: ReadonlyMap<SessionId, MemoryRow>,
  by: string,
  after: DueSession | null,
  limit: number,
): DueSession[] =>
  [...rows]
    .flatMap(([session_id, { attention }]) => {
      const due_at = attention?.due_at ?? null;
      return due_at !== null && due_at <= by ? [{ session_id, due_at }] : [];
    })
    .filter((due) => after === null || longestFirst(after, due) < 0)
    .sort(longestFirst)
    .slice(0, limit);

const longestFirst = (a: DueSession, b: DueSession): number =>
  compared(a.due_at, b.due_at) || compared(a.session_id, b.session_id);

export const compared = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

export const cut = <Row extends { at: string; id: string }>(
  all: Row[],
  page: { limit: number; after?: string | undefined },
) => {
  const from = positionOf(page.after);
  const rest = all
    .sort(newestFirst)
    .filter((row) => from === null || newestFirst(from, row) < 0);
  return pageOf(rest.slice(0, page.limit + 1), page.limit);
};
