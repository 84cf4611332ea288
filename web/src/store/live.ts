/** What the stores need of the client's one connection. */
import type { HomeChange } from "../../../src/contract/api/stream-route.ts";
import type { Event } from "../../../src/contract/event/event.ts";

/** Times are milliseconds since 1970. */
export type LiveState =
  | { kind: "opening" }
  | { kind: "connected" }
  | { kind: "away"; since: number; next_try_at: number | null }
  | { kind: "back"; since: number; caught_up: number }
  | { kind: "refused" }
  | { kind: "closed" };

export interface Live {
  readonly state: LiveState;
  subscribe(changed: () => void): () => void;
  tryNow(): void;
  /** Every event behind a cursor, once and in order, over as many connections as it takes. */
  follow(
    session: string,
    from: { after: number; signal: AbortSignal },
  ): AsyncIterable<Event>;
  followHome(from: {
    after?: number | undefined;
    signal: AbortSignal;
  }): AsyncIterable<HomeChange>;
}
