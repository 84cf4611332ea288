/**
 * What the main thread and the threads of the database say to each other.
 *
 *   main ── requests[] ──► thread      requests made in one turn of the event loop travel together
 *   main ◄── answers[] ─── thread
 *   main ──── "close" ───► thread      only when nothing is unanswered
 *
 * Of the contract the threads import types only: its schemas would cost each of them 100 ms and 8 MB at every start.
 * Errors therefore cross as code and words; a `RepriseError` is made of them on the main thread.
 */
import type { Refusal } from "../../refusal.ts";

/** The calls a thread takes: by name, what is asked and what is answered. */
export type Calls<C> = Record<keyof C, { query: unknown; answer: unknown }>;

export type Request<C extends Calls<C>> = {
  [K in keyof C]: { id: number; kind: K; query: C[K]["query"] };
}[keyof C];

export type Answer =
  { id: number; value: unknown } | { id: number; failure: Refusal };

export type ToThread<C extends Calls<C>> = readonly Request<C>[] | "close";

/** What a thread opens. */
export interface Opened {
  /** The database. */
  path: string;
  /** What must stay where it is besides the database, for as long as anything is written. */
  beside: readonly string[];
}

/** The first word of a thread: whether it could open the database, and what it did to it. */
export type Opening =
  | {
      migrated: readonly string[];
      /** What was found to be wrong with it; parts of it may be readable all the same. */
      damage: string | null;
    }
  | { failure: Refusal };

export const failed = (
  id: number,
  { code, message, damaged_from }: Refusal,
): Answer => ({
  id,
  failure: {
    code,
    message,
    ...(damaged_from === undefined ? {} : { damaged_from }),
  },
});
