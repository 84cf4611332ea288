import type { Session } from "../../../src/contract/session/session.ts";

/** The sessions that one was forked from, the nearest first, as far as they are known. */
export interface Ancestors {
  sessions: readonly Session[];
  /** The next one was removed for good. */
  isCut: boolean;
}
