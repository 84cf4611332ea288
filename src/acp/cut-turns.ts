/** Turns that were cut off and for whose prompts the client waits: it is told so where the session does not go on by itself. */
import type { Client } from "../client/client.ts";
import { cutTurnIn, mayStopGoingOn } from "../client/goes-on.ts";
import type { PromptId, SessionId } from "../contract/base/id.ts";
import type { Event, EventOf } from "../contract/event/event.ts";
import type { Session } from "../contract/session/session.ts";
import type { PromptWaits } from "./prompt-waits.ts";

type Cut = EventOf<"session.turn.interrupted">;

export class CutTurns {
  readonly #show: () => Promise<Session | null>;
  readonly #waits: PromptWaits;
  readonly #cut = new Map<PromptId, Cut>();

  constructor(client: Client, id: SessionId, waits: PromptWaits) {
    this.#show = () => client.showSession(id).catch(() => null);
    this.#waits = waits;
  }

  /** Says whether the event ends waits by itself; where a turn is cut off, this decides. */
  async take(event: Event): Promise<boolean> {
    if (isCut(event)) {
      if (this.#waits.has(event.data.prompt_id))
        this.#cut.set(event.data.prompt_id, event);
    } else if (!mayStopGoingOn(event)) return true;
    await this.#look(event);
    return !isCut(event) && !(await this.#isPassing(event));
  }

  async #look(event: Event): Promise<void> {
    for (const prompt of this.#cut.keys())
      if (!this.#waits.has(prompt)) this.#cut.delete(prompt);
    if (this.#cut.size === 0) return;
    // Where nobody can be asked, the client is told that it was cut off.
    const session = await this.#show();
    for (const [prompt, cut] of this.#cut) {
      if (session !== null && isWaitedFor(session, prompt, event)) continue;
      this.#cut.delete(prompt);
      this.#waits.take(cut);
    }
  }

  /** Paused, and started again since. */
  async #isPassing(event: Event): Promise<boolean> {
    if (event.type !== "session.state_changed" || event.data.to !== "PAUSED")
      return false;
    if (this.#waits.prompts.length === 0) return false;
    const session = await this.#show();
    return session !== null && session.state !== "PAUSED";
  }
}

const isCut = (event: Event): event is Cut =>
  event.type === "session.turn.interrupted";

const isWaitedFor = (
  session: Session,
  prompt: PromptId,
  event: Event,
): boolean => {
  switch (cutTurnIn(session, prompt)) {
    case "goes_on":
      return true;
    case "waits":
      return false;
    // The event that tells the decision is still to come. A rewind leaves the turn behind without one.
    case "decided":
      return event.type !== "session.rewound";
  }
};
