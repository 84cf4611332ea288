/**
 * How the page stands with its server, as it is shown.
 *
 *   opening ──► connected ──lost──► (1.5 s) ──► away ──► back ──4 s──► connected
 *      └──── 5 s without an answer ──────────────▲
 *
 * A loss that heals within a moment is not told, and before the first answer nothing is: nobody should see a warning flash.
 */
import type { Live } from "./live.ts";
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
  | { kind: "back"; caughtUp: number }
  /** The server does not let the page in any more: somebody has to open the link again. */
  | { kind: "refused" };

const CONNECTED: Connection = { kind: "connected" };
const REFUSED: Connection = { kind: "refused" };

const GRACE_MS = 1_500;
/** How long a first answer may take until the server counts as away. */
const FIRST_ANSWER_MS = 5_000;
const BACK_MS = 4_000;

export class ConnectionStore implements Readable<Connection> {
  readonly #live: Pick<Live, "state" | "subscribe">;
  readonly #scheduler: Scheduler;
  readonly #shown = new Value<Connection>({ kind: "opening" });
  readonly #unsubscribe: () => void;
  #timer: { for: "away" | "connected"; cancel: () => void } | null = null;

  constructor(live: Pick<Live, "state" | "subscribe">, scheduler: Scheduler) {
    this.#live = live;
    this.#scheduler = scheduler;
    this.#unsubscribe = live.subscribe(() => this.#update());
    this.#update();
  }

  get(): Connection {
    return this.#shown.get();
  }

  subscribe(changed: () => void): () => void {
    return this.#shown.subscribe(changed);
  }

  close(): void {
    this.#unsubscribe();
    this.#stop();
  }

  #update(): void {
    const { state } = this.#live;
    switch (state.kind) {
      case "opening":
        return this.#in(FIRST_ANSWER_MS, "away");
      case "connected":
        return this.#show(CONNECTED);
      case "away":
        return this.get().kind === "away"
          ? this.#showAway()
          : this.#in(
              this.get().kind === "opening" ? FIRST_ANSWER_MS : GRACE_MS,
              "away",
            );
      case "back":
        return this.#showBack(state.caught_up);
      case "refused":
        return this.#show(REFUSED);
      case "closed":
        return this.#stop();
    }
  }

  #showBack(caughtUp: number): void {
    const { kind } = this.get();
    if (kind !== "away" && kind !== "back") return this.#show(CONNECTED);
    this.#shown.set({ kind: "back", caughtUp });
    this.#in(BACK_MS, "connected");
  }

  #showAway(): void {
    const { state } = this.#live;
    const { since, next_try_at } =
      state.kind === "away"
        ? state
        : { since: this.#scheduler.now(), next_try_at: null };
    this.#shown.set({ kind: "away", since, nextTryAt: next_try_at });
  }

  #show(shown: Connection): void {
    this.#stop();
    this.#shown.set(shown);
  }

  /** A timer that runs for the same already goes on. */
  #in(ms: number, what: "away" | "connected"): void {
    if (this.#timer?.for === what) return;
    this.#stop();
    const cancel = this.#scheduler.after(ms, () => {
      this.#timer = null;
      if (what === "away") this.#showAway();
      else this.#shown.set(CONNECTED);
    });
    this.#timer = { for: what, cancel };
  }

  #stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }
}
