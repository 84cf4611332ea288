/** What the engine needs: of a store, and of whoever knows which places this server holds. */
import type { PlaceRef } from "../contract/base/place.ts";
import type { Kind } from "./journaled.ts";

/** By which claim of a place something is written. */
export interface PlaceTerm {
  /** Of the place, as `placeKey` makes it. */
  key: string;
  /** Refused when another server has claimed the place with a higher one (P4). */
  term: number;
}

/** Remembers what an idempotency key was answered with. */
export interface Receipt {
  /** Where the key holds: a session id for prompts, `sessions` or `tasks` for creation. */
  scope: string;
  key: string;
  /** SHA-256 of the request. */
  request: string;
  /** The first answer, as JSON. */
  answer: string;
}

export interface Snapshot {
  /**
   * Of the state's shape: a snapshot of another version is ignored and the journal is folded from its start. The newest
   * snapshot of this version is kept, and that of the newest other version.
   */
  version: number;
  seq: number;
  /** JSON. */
  state: string;
}

/** Everything one decision changes: it becomes durable together or not at all. */
export interface Append<K extends Kind> {
  place: PlaceTerm;
  id: K["id"];
  /** The number of the last event before these: refused with `moved_on` when it is another. */
  after: number;
  events: readonly K["event"][];
  derived: K["derived"];
  snapshot: Snapshot | null;
  receipt: Receipt | null;
  secrets: K["secrets"] | null;
}

/** The journals of one kind. Refusals are `RepriseError`s; `superseded` says that the place's term was lost. */
export interface JournalStore<K extends Kind> {
  append(change: Append<K>): Promise<void>;
  /** Null when there is no such journal. */
  load(
    id: K["id"],
    version: number,
  ): Promise<{ snapshot: Snapshot | null; last_seq: number } | null>;
  /** In order, from `after` (exclusive), at most `limit`; none only at the end. */
  events(id: K["id"], after: number, limit: number): Promise<K["event"][]>;
  /** Removes a journal and everything about it, for good. */
  purge(place: PlaceTerm, id: K["id"]): Promise<void>;
}

/** Which places this server holds. */
export interface Terms {
  /** The term of a place; the place is claimed where it is not held. Refused with `superseded` where another server has it. */
  claim(place: PlaceRef): Promise<PlaceTerm>;
  /** Whether it is held now. */
  isHeld(place: PlaceRef): boolean;
  /** A write was refused because another server has claimed the place. */
  lost(place: PlaceRef): void;
}
