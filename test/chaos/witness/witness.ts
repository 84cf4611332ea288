import type { Event } from "../../../src/contract/event/event.ts";

/** Somebody who follows a session and remembers all that was told, in the order in which it came. */
export interface Witness {
  name: string;
  /** What it knew already when it came. */
  after: number;
  events: Event[];
  connections: number;
  /** What a server must never do to a client. */
  complaints: string[];
  /** Resolves when it has stopped following. */
  done: Promise<void>;
}

export interface Where {
  url: string;
  token: string;
}

export const lastSeq = ({ events, after }: Witness): number =>
  events.at(-1)?.seq ?? after;
