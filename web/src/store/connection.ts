/**
 * How the page stands with its server.
 *
 *   opening ──opened──► connected ──lost──► (1.5 s) ──► away ──opened──► back ──4 s──► connected
 *                           ▲───────opened─────┘
 *
 * A loss that heals within a moment is not told, and before the first answer nothing is: nobody should see a warning flash.
 */
import type { Readable } from "./readable.ts";
import type { Scheduler } from "./scheduler.ts";
import { Value } from "./value.ts";

export type Connection =
  /** Nothing was answered yet: nothing is said. */
  | { kind: "opening" }
  | { kind: "connected" }
  | {
      kind: "away";
      /** When something was heard last. */
      since: number;
      /** When it is tried again; null while it is being tried. */
      nextTryAt: number | null;
    }
  /** For a few seconds behind `away`. */
  | { kind: "back"; caughtUp: number };

const CONNECTED: Connection = { kind: "connected" };

const GRACE_MS = 1_500;
/** How long a first answer may take until the server counts as away. */
const FIRST_ANSWER_MS = 5_000;
const BACK_MS = 4_000;

export class ConnectionStore implements Readable<Connection> {
  readonly #scheduler: Scheduler;
  readonly #state = new Value<Connection>({ kind: "opening" });
  /** Ends the timer that would change the state next. */
  #cancelTimer: (() => void) | null = null;
  #heardAt: number;
  #nextTryAt: number | null = null;
  /** When it came back; null while it is away or has never been. */
  #openedAt: number | null = null;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.#heardAt = scheduler.now();
  }

  get(): Connection {
    return this.#state.get();
  }

  subscribe(changed: () => void): () => void {
    return this.#state.subscribe(changed);
  }

  /** A connection stands. */
  opened(): void {
    this.#heardAt = this.#scheduler.now();
    this.#nextTryAt = null;
    this.#stopTimer();
    if (this.get().kind !== "away") {
      this.#set(CONNECTED);
      return;
    }
    this.#openedAt = this.#heardAt;
    this.#set({ kind: "back", caughtUp: 0 });
    this.#startTimer(BACK_MS, () => this.#set(CONNECTED));
  }

  /** Something came from the server. `at`: when it happened there, where that is known. */
  heard(at: string | null = null): void {
    this.#heardAt = this.#scheduler.now();
    const state = this.get();
    if (state.kind !== "back" || at === null || this.#openedAt === null) return;
    // What happened while nobody listened was caught up; what happens now is just news.
    if (Date.parse(at) < this.#openedAt)
      this.#set({ kind: "back", caughtUp: state.caughtUp + 1 });
  }

  /** The connection is gone, or could not be made. It is tried again in so many milliseconds. */
  lost(retryInMs: number | null = null): void {
    this.#nextTryAt =
      retryInMs === null ? null : this.#scheduler.now() + retryInMs;
    const { kind } = this.get();
    if (kind === "away") return this.#setAway();
    if (this.#cancelTimer !== null && kind !== "back") return;
    this.#stopTimer();
    const grace = kind === "opening" ? FIRST_ANSWER_MS : GRACE_MS;
    this.#startTimer(grace, () => this.#setAway());
  }

  /** It is being tried again now. */
  trying(): void {
    this.#nextTryAt = null;
    if (this.get().kind === "away") this.#setAway();
  }

  close(): void {
    this.#stopTimer();
  }

  #setAway(): void {
    const since = this.#heardAt;
    this.#set({ kind: "away", since, nextTryAt: this.#nextTryAt });
  }

  #set(state: Connection): void {
    this.#state.set(state);
  }

  #startTimer(ms: number, run: () => void): void {
    this.#cancelTimer = this.#scheduler.after(ms, () => {
      this.#cancelTimer = null;
      run();
    });
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
