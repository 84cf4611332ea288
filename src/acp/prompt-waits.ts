/** Prompts of this client that are not answered yet, and what ends the wait for each. */
import type { PromptResponse } from "@agentclientprotocol/sdk";
import type { Event, EventOf } from "../contract/event/event.ts";
import type { PromptId } from "../contract/base/id.ts";
import { isTerminal } from "../contract/session/state.ts";
import { failed } from "./translate/failure.ts";
import {
  broken,
  endOfTurn,
  interrupted,
  notStarted,
  type Outcome,
  stopped,
  uncertain,
} from "./translate/outcome.ts";

interface Wait {
  settled: Promise<unknown>;
  /** Its admission was seen: what came before is not about it. */
  isSeen: boolean;
  /** Its turn has begun: it stands in the queue no more. */
  isBegun: boolean;
  settle(outcome: Outcome): void;
}

export class PromptWaits {
  readonly #waits = new Map<PromptId, Wait>();

  get prompts(): PromptId[] {
    return [...this.#waits.keys()];
  }

  has(prompt: PromptId): boolean {
    return this.#waits.has(prompt);
  }

  wait(prompt: PromptId): Promise<PromptResponse> {
    const { promise, resolve, reject } =
      Promise.withResolvers<PromptResponse>();
    this.#waits.set(prompt, {
      settled: promise.catch(() => undefined),
      isSeen: false,
      isBegun: false,
      settle: (outcome) =>
        outcome.kind === "answer"
          ? resolve(outcome.response)
          : reject(outcome.error),
    });
    return promise;
  }

  /** Resolves when all that wait now are answered. */
  async drained(): Promise<void> {
    await Promise.all([...this.#waits.values()].map(({ settled }) => settled));
  }

  /**
   * Ends the waits that an event is about. Says which prompts are given up although they still stand in the queue: nobody waits
   * for them any more, so they must not run later.
   */
  take(event: Event): PromptId[] {
    switch (event.type) {
      case "session.prompt.queued": {
        const wait = this.#waits.get(event.data.prompt_id);
        if (wait !== undefined) wait.isSeen = true;
        return [];
      }
      case "session.turn.started":
        this.#begun(event.data.prompt_id, true);
        return [];
      case "session.prompt.requeued":
        this.#begun(event.data.prompt_id, false);
        return [];
      case "session.turn.ended":
        this.settle(event.data.prompt_id, endOfTurn(event.data));
        return [];
      case "session.turn.interrupted":
        this.settle(event.data.prompt_id, interrupted(event.data));
        return [];
      case "session.prompt.cancelled":
        this.settle(event.data.prompt_id, stopped("cancelled"));
        return [];
      case "session.prompt.uncertain":
        this.settle(event.data.prompt_id, uncertain());
        return [];
      case "session.prompt.resolved":
        this.#moved(event.data);
        return [];
      case "session.state_changed":
        if (event.data.to === "ERROR")
          return this.#settleSeen(broken(notStarted(event.data)));
        if (event.data.to === "PAUSED") this.#settleQueued(PAUSED);
        if (isTerminal(event.data.to)) this.#settleSeen(ENDED);
        return [];
      case "session.budget.reached":
        this.#settleQueued(SPENT);
        return [];
      case "session.deleted":
        this.#settleSeen(DELETED);
        return [];
      default:
        return [];
    }
  }

  settle(prompt: PromptId, outcome: Outcome): void {
    const wait = this.#waits.get(prompt);
    this.#waits.delete(prompt);
    wait?.settle(outcome);
  }

  settleAll(outcome: Outcome): void {
    for (const prompt of this.prompts) this.settle(prompt, outcome);
  }

  /** A prompt that was cut off is gone on with by another one, or is given up. */
  #moved({ prompt_id, by }: EventOf<"session.prompt.resolved">["data"]): void {
    const wait = this.#waits.get(prompt_id);
    if (wait === undefined) return;
    if (by === null) return this.settle(prompt_id, stopped("cancelled"));
    this.#waits.delete(prompt_id);
    this.#waits.set(by, { ...wait, isSeen: false, isBegun: false });
  }

  #begun(prompt: PromptId, isBegun: boolean): void {
    const wait = this.#waits.get(prompt);
    if (wait !== undefined) wait.isBegun = isBegun;
  }

  /** They stay in the queue: whoever lets the session go on lets them run. */
  #settleQueued(outcome: Outcome): void {
    for (const [prompt, { isSeen, isBegun }] of this.#waits)
      if (isSeen && !isBegun) this.settle(prompt, outcome);
  }

  #settleSeen(outcome: Outcome): PromptId[] {
    const seen = [...this.#waits]
      .filter(([, { isSeen }]) => isSeen)
      .map(([prompt]) => prompt);
    for (const prompt of seen) this.settle(prompt, outcome);
    return seen;
  }
}

const ENDED = broken(
  failed("The session has ended. Start a new one to go on.", "session_ended"),
);
const PAUSED = broken(
  failed(
    "The session was paused, and the prompt waits in its queue. It runs when somebody resumes the session or sends another prompt.",
    "paused",
  ),
);
const SPENT = broken(
  failed(
    "The budget of the session is used up, and the prompt waits in its queue. It runs when somebody raises the budget.",
    "budget_reached",
  ),
);
const DELETED = broken(
  failed("The session was put into the trash.", "session_deleted"),
);
