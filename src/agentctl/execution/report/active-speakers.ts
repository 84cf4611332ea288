import type { SessionId } from "../../../contract/id.ts";

/** Who speaks is heard again within this: a model says twenty words a second. */
const PAUSE_MS = 250;

/** Whose agents are speaking: what can wait leaves the processors to them. */
export class Voices {
  readonly #heardAt = new Map<SessionId, number>();

  hear(session: SessionId, now = performance.now()): void {
    this.#heardAt.set(session, now);
  }

  /** Whether any other than this one speaks. */
  areOthers(session: SessionId, now = performance.now()): boolean {
    for (const [other, at] of this.#heardAt)
      if (now - at > PAUSE_MS) this.#heardAt.delete(other);
      else if (other !== session) return true;
    return false;
  }
}
