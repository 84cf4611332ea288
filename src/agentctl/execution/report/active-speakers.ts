import type { SessionId } from "../../../contract/base/id.ts";

/** Who speaks is read again within this: a model says twenty words a second. */
const PAUSE_MS = 250;

/** Whose agents are speaking: what can wait leaves the processors to them. */
export class ActiveSpeakers {
  readonly #spokeAt = new Map<SessionId, number>();

  spoke(session: SessionId, now = performance.now()): void {
    this.#spokeAt.set(session, now);
  }

  /** Whether any other than this one speaks. */
  areOthers(session: SessionId, now = performance.now()): boolean {
    for (const [other, at] of this.#spokeAt)
      if (now - at > PAUSE_MS) this.#spokeAt.delete(other);
      else if (other !== session) return true;
    return false;
  }
}
