/**
 * What the main thread and the threads of the database say to each other besides requests and answers.
 *
 * Of the contract the threads import types and the error class only: its schemas would cost each of them 100 ms and 8 MB
 * at every start. Errors cross as code and words; a `RepriseError` is made of them on the main thread.
 */
import type * as rpc from "../../../kit/worker-rpc/messages.ts";
import type { Refusal } from "../../refusal.ts";

export type Answer = rpc.Answer<Refusal>;

/** What a thread opens. */
export interface Opened {
  /** The database. */
  path: string;
  /** What must stay where it is besides the database, for as long as anything is written. */
  watchedPaths: readonly string[];
}

/** The first word of a thread: whether it could open the database, and what it did to it. */
export type OpenResult =
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
