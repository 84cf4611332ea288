/** What can be done with a session. Each action is one request; its answer is shown, or the session is read again. */
import type { Answer, Calls, Given } from "../../../../src/client/client.ts";
import type { Session } from "../../../../src/contract/session/session.ts";

export abstract class SessionActions {
  readonly id: string;
  readonly #client: Calls;

  constructor(client: Calls, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** A session as the server has just told it. */
  protected abstract take(session: Session): void;
  /** Something about it has changed. */
  protected abstract changed(): Promise<void>;

  async cancelTurn(): Promise<void> {
    this.take(await this.#client.cancelTurn(this.id));
  }

  async cancelPrompt(prompt: string): Promise<void> {
    await this.#client.cancelPrompt(this.id, prompt);
    await this.changed();
  }

  async permit(requestId: string, optionId: string): Promise<void> {
    await this.#client.answerPermission(this.id, requestId, optionId);
    await this.changed();
  }

  async resolve(
    promptId: string,
    action: "continue" | "resend" | "drop",
  ): Promise<void> {
    await this.#client.resolvePrompt(this.id, promptId, action);
    await this.changed();
  }

  async resume(options: { now?: boolean } = {}): Promise<void> {
    this.take(await this.#client.resumeSession(this.id, options));
  }

  async startWithoutMemory(): Promise<void> {
    await this.resume();
  }

  async recover(): Promise<void> {
    this.take(await this.#client.recoverSession(this.id));
  }

  async pause(): Promise<void> {
    this.take(await this.#client.pauseSession(this.id));
  }

  async end(outcome: Given<"endSession">["body"] = {}): Promise<void> {
    this.take(await this.#client.endSession(this.id, outcome));
  }

  async rename(name: string): Promise<void> {
    this.take(await this.#client.changeSession(this.id, { name }));
  }

  async rewind(
    body: Given<"rewindSession">["body"],
  ): Promise<Answer<"rewindSession">> {
    const answer = await this.#client.rewindSession(this.id, body);
    this.take(answer.session);
    return answer;
  }

  async fork(body: Given<"forkSession">["body"] = {}): Promise<Session> {
    return this.#client.forkSession(this.id, body);
  }

  async handOff(agent: string): Promise<void> {
    this.take(await this.#client.handOffSession(this.id, agent));
  }

  async remove(): Promise<void> {
    this.take(await this.#client.deleteSession(this.id));
  }

  async undelete(): Promise<void> {
    this.take(await this.#client.undeleteSession(this.id));
  }
}
