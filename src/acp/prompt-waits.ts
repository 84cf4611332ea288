/** Prompts of this client that are not answered yet, and what each is answered with. */
import type { PromptResponse } from "@agentclientprotocol/sdk";
import {
  afterEvent,
  noPrompts,
  type Prompts,
  withView,
} from "../client/prompt/prompt-phases.ts";
import {
  needsView,
  newestPrompt,
  statusOf,
} from "../client/prompt/prompt-status.ts";
import type { PromptId } from "../contract/base/id.ts";
import type { Event } from "../contract/event/event.ts";
import type { Session } from "../contract/session/session.ts";
import {
  type FailedStart,
  type Outcome,
  outcomeOf,
} from "./translate/outcome.ts";

interface Wait {
  settled: Promise<unknown>;
  settle(outcome: Outcome): void;
}

export class PromptWaits {
  /** Reads the session; null where nobody can be asked. */
  readonly #show: () => Promise<Session | null>;
  readonly #waits = new Map<PromptId, Wait>();
  #known: Prompts = noPrompts;
  #failedStart: FailedStart | null = null;

  constructor(show: () => Promise<Session | null>) {
    this.#show = show;
  }

  /** Those that wait, or that continue one that was cut off. */
  get prompts(): PromptId[] {
    return [...this.#waits.keys()].map((id) => newestPrompt(this.#known, id));
  }

  wait(prompt: PromptId): Promise<PromptResponse> {
    const { promise, resolve, reject } =
      Promise.withResolvers<PromptResponse>();
    this.#waits.set(prompt, {
      settled: promise.catch(() => undefined),
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
   * Ends the waits that are over with an event. Says which prompts are given up although they still stand in the queue: nobody
   * waits for them any more, so they must not run later.
   */
  async take(event: Event): Promise<PromptId[]> {
    this.#known = afterEvent(this.#known, event);
    if (event.type === "session.state_changed") this.#failedStart = event.data;
    await this.#readView();
    const givenUp: PromptId[] = [];
    for (const prompt of this.#waits.keys()) {
      const status = statusOf(this.#known, prompt);
      const outcome = outcomeOf(status, this.#failedStart);
      if (outcome === null) continue;
      if (status.kind === "start_failed")
        givenUp.push(newestPrompt(this.#known, prompt));
      this.#settle(prompt, outcome);
    }
    if (this.#waits.size === 0 && this.#known.phases.size > 0)
      this.#known = { ...this.#known, phases: new Map() };
    return givenUp;
  }

  settleAll(outcome: Outcome): void {
    for (const prompt of this.#waits.keys()) this.#settle(prompt, outcome);
  }

  async #readView(): Promise<void> {
    const isDoubtful = this.#waits
      .keys()
      .some((prompt) => needsView(this.#known, prompt));
    const view = isDoubtful ? await this.#show() : null;
    if (view !== null) this.#known = withView(this.#known, view);
  }

  #settle(prompt: PromptId, outcome: Outcome): void {
    const wait = this.#waits.get(prompt);
    this.#waits.delete(prompt);
    wait?.settle(outcome);
  }
}
