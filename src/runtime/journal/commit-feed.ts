import type { Event } from "../../contract/event.ts";
import type { SessionId } from "../../contract/id.ts";
import type { Session } from "../../contract/session.ts";
import type { State } from "../../session/state/state.ts";

/** What was committed, told to whoever listens; only after the commit. */
export interface Committed {
  session: SessionId;
  events: readonly Event[];
  before: State | null;
  after: State;
  /** What callers see of it now. */
  view: Session;
}

type Listen = (committed: Committed) => void;

export class CommitFeed {
  readonly #everyone = new Set<Listen>();
  readonly #bySession = new Map<SessionId, Set<Listen>>();

  publish(committed: Committed): void {
    const listeners = [
      ...this.#everyone,
      ...(this.#bySession.get(committed.session) ?? []),
    ];
    for (const listen of listeners)
      try {
        listen(committed);
      } catch (error) {
        // It is committed: that one listener failed must not look like a failed commit.
        queueMicrotask(() => {
          throw error;
        });
      }
  }

  /** Returns the way out. */
  onAny(listen: Listen): () => void {
    this.#everyone.add(listen);
    return () => this.#everyone.delete(listen);
  }

  on(session: SessionId, listen: Listen): () => void {
    const listeners = this.#bySession.get(session) ?? new Set();
    listeners.add(listen);
    this.#bySession.set(session, listeners);
    return () => {
      listeners.delete(listen);
      if (listeners.size === 0 && this.#bySession.get(session) === listeners)
        this.#bySession.delete(session);
    };
  }
}
