/** What can be journaled: everything that the engine knows of it. */
import type { PlaceRef } from "../contract/base/place.ts";

/** The types of one kind of thing that has journals. */
export interface Kind {
  id: string;
  /** The fold of a journal. */
  state: { readonly seq: number };
  command: unknown;
  create: unknown;
  event: { readonly seq: number };
  /** Rows that are kept beside a journal and follow from its events. */
  derived: object;
  /** What some changes store besides and no event tells, because it is secret. */
  secrets: object;
}

/** What comes of a command: events, perhaps none, or why not. */
export type Decision<K extends Kind> =
  | { kind: "events"; events: readonly K["event"][]; after: K["state"] }
  | { kind: "refused"; error: Error };

/** States that are stored now and then, so that a long journal need not be folded from its start. */
export interface Snapshots<K extends Kind> {
  /** Of the state's shape: a snapshot of another version is passed over. */
  readonly version: number;
  /** Whether the state is to be stored behind these events. */
  isDue(
    before: K["state"] | null,
    after: K["state"],
    events: readonly K["event"][],
  ): boolean;
  toText(state: K["state"]): string;
  fromText(text: string): K["state"];
  /** Adds what snapshots leave out to a state that was folded from the one at this event. `read` gives an event by its number. */
  complete(
    state: K["state"],
    snapshot: number,
    read: (seq: number) => Promise<K["event"]>,
  ): Promise<K["state"]>;
}

/** Everything here but reading snapshots is pure: time is an argument. */
export interface Journaled<K extends Kind> {
  create(create: K["create"], at: string): Decision<K>;
  decide(state: K["state"], command: K["command"], at: string): Decision<K>;
  evolve(state: K["state"] | null, event: K["event"]): K["state"];
  derive(
    events: readonly K["event"][],
    before: K["state"] | null,
    after: K["state"],
    at: string,
  ): K["derived"];
  idOf(state: K["state"]): K["id"];
  /** Where it belongs: only who holds that place writes to its journal. */
  placeOf(state: K["state"]): PlaceRef;
  /** Whether the state stays in memory however long nobody asks for it. */
  isActive(state: K["state"]): boolean;
  /** Null where journals are short: they are folded from their start whenever they are read. */
  readonly snapshots: Snapshots<K> | null;

  notFound(id: K["id"], why: "unknown" | "removed meanwhile"): Error;
  /** Whether an error says that a journal is not what was written. */
  isDamaged(error: unknown): boolean;
}
