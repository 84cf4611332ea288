import type { SessionId } from "../../contract/id.ts";
import type { State } from "../../session/state/state.ts";

/** States at hand: those with an execution stay, of the others the least recently used go, so sessions at rest cost nothing. */
export class Shelf {
  readonly #states = new Map<SessionId, State>();
  readonly #doubted = new Set<SessionId>();
  readonly #resting: number;

  constructor(resting = 256) {
    this.#resting = resting;
  }

  get(session: SessionId): State | undefined {
    return this.#doubted.has(session) ? undefined : this.#states.get(session);
  }

  put(state: State): void {
    this.#doubted.delete(state.id);
    this.#states.delete(state.id);
    this.#states.set(state.id, state);
    if (this.#states.size > this.#resting) this.#clear();
  }

  /** Whether this is still how it stands is not known: it has to be read again. Its agent is not forgotten over it. */
  doubt(session: SessionId): void {
    if (this.#states.has(session)) this.#doubted.add(session);
  }

  /** How a doubted session was when it was last known. */
  doubted(session: SessionId): State | undefined {
    return this.#doubted.has(session) ? this.#states.get(session) : undefined;
  }

  /** It is gone for good. */
  drop(session: SessionId): void {
    this.#states.delete(session);
    this.#doubted.delete(session);
  }

  /** As they were when last known. */
  *values(): Iterable<State> {
    yield* this.#states.values();
  }

  #clear(): void {
    let surplus = this.#states.size - this.#resting;
    for (const [session, state] of this.#states) {
      if (surplus <= 0) return;
      if (state.execution !== null) continue;
      this.#states.delete(session);
      this.#doubted.delete(session);
      surplus -= 1;
    }
  }
}
