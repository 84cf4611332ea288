import type { Message } from "../../contract/session/message.ts";
import { cancelPrompt } from "../prompt/cancel-prompt.ts";
import type { Client } from "../client.ts";
import {
  currentResult,
  lookAt,
  turnResult,
  type TurnResult,
  type TurnWait,
} from "../turn.ts";
import { turnMessages } from "./turn-messages.ts";

/** A prompt and what comes of it. Another process that has both ids has the same turn. */
export class Turn implements AsyncIterable<Message> {
  readonly sessionId: string;
  readonly promptId: string;
  readonly #client: Client;

  constructor(client: Client, sessionId: string, promptId: string) {
    this.#client = client;
    this.sessionId = sessionId;
    this.promptId = promptId;
  }

  /** What the agent says and does in this turn, each message when it is finished, until the turn is over. */
  [Symbol.asyncIterator](): AsyncIterator<Message> {
    return this.messages();
  }

  /** The same, with a signal that ends it. */
  messages(options: { signal?: AbortSignal } = {}): AsyncGenerator<Message> {
    return turnMessages(
      this.#client,
      this.sessionId,
      this.promptId,
      options.signal,
    );
  }

  /** Waits until the turn is over or needs somebody. */
  result(options?: TurnWait): Promise<TurnResult> {
    return turnResult(this.#client, this.sessionId, this.promptId, options);
  }

  /** The result as it is now, without waiting: `working` while the turn runs. */
  now(): Promise<TurnResult> {
    return currentResult(this.#client, this.sessionId, this.promptId);
  }

  /**
   * Goes on with a turn that was interrupted: the agent is told so, and the prompt is not sent again. Where the prompt still
   * waits because the session is paused, its agent did not start or its quota is used up, the session is resumed and the agent
   * tried at once.
   */
  async continue({ key }: { key?: string } = {}): Promise<this> {
    const { result, session } = await lookAt(
      this.#client,
      this.sessionId,
      this.promptId,
    );
    const isWaiting = session.queued_prompts.some(
      ({ id }) => id === result.prompt_id,
    );
    if (isWaiting)
      await this.#client.resumeSession(session.id, { key, now: true });
    else
      await this.#client.resolvePrompt(
        session.id,
        result.prompt_id,
        "continue",
        { key },
      );
    return this;
  }

  /** Cancels the turn, withdraws the prompt where it still waits, or stops what would go on by itself. */
  async cancel(): Promise<void> {
    const { result } = await lookAt(
      this.#client,
      this.sessionId,
      this.promptId,
    );
    await cancelPrompt(this.#client, this.sessionId, result.prompt_id);
  }
}
