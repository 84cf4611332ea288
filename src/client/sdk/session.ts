import type { PromptRequest } from "../../contract/api/request.ts";
import type { Event } from "../../contract/event/event.ts";
import type { Message } from "../../contract/session/message.ts";
import type { Session } from "../../contract/session/session.ts";
import type { Answer, Client, FollowOptions, Given } from "../client.ts";
import { Turn } from "./turn.ts";

export interface Keyed {
  /** The idempotency key: a request that is repeated with the same key gets the first answer and has no second effect. */
  key?: string;
}

/** A handle for a session. It holds the id and nothing else: every call asks the server. */
export class SessionHandle {
  readonly id: string;
  readonly #client: Client;

  constructor(client: Client, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** Gives the session a prompt: a text, or an object with `content` (images, files) and `limits`. Resolves once the prompt is durable. */
  async prompt(
    prompt: string | Omit<PromptRequest, "caller_env">,
    { key }: Keyed = {},
  ): Promise<Turn> {
    const body = typeof prompt === "string" ? { text: prompt } : prompt;
    const { id } = await this.#client.queuePrompt(this.id, body, { key });
    return this.turn(id);
  }

  /** The turn of a prompt that was given before, by its id. */
  turn(promptId: string): Turn {
    return new Turn(this.#client, this.id, promptId);
  }

  /** Another session that goes on from a turn of this one, in a workspace of its own. */
  async fork(
    from: { turn?: number; name?: string } = {},
    { key }: Keyed = {},
  ): Promise<SessionHandle> {
    const { id } = await this.#client.forkSession(this.id, from, { key });
    return new SessionHandle(this.#client, id);
  }

  /** The session as it is now: its state, its settings, and what it waits for. */
  show(): Promise<Session> {
    return this.#client.showSession(this.id);
  }

  /** The whole conversation, oldest message first. */
  messages(): AsyncGenerator<Message> {
    return this.#client.allMessages(this.id);
  }

  /** Every event after `after`, then each new one as it happens, until `signal`. It reconnects by itself. */
  events(options?: FollowOptions): AsyncIterable<Event> {
    return this.#client.follow(this.id, options);
  }

  /** Brings the agent of a paused or interrupted session back. A prompt does so by itself. */
  resume({ key }: Keyed = {}): Promise<Session> {
    return this.#client.resumeSession(this.id, { key });
  }

  /** Stops the agent and keeps the session. A turn in progress is interrupted. */
  pause({ key }: Keyed = {}): Promise<Session> {
    return this.#client.pauseSession(this.id, { key });
  }

  /** Brings workspace and conversation back to an earlier turn. */
  rewind(
    to: Given<"rewindSession">["body"],
    { key }: Keyed = {},
  ): Promise<Answer<"rewindSession">> {
    return this.#client.rewindSession(this.id, to, { key });
  }

  /** Hands the session over to another agent, or to that of a profile, which is told the conversation so far. */
  handOff(
    to: string | { agent_profile_id: string },
    { key }: Keyed = {},
  ): Promise<Session> {
    return this.#client.handOffSession(this.id, to, { key });
  }

  /** Ends the session for good. Everything that was said stays readable. */
  end(
    outcome: "completed" | "cancelled" = "completed",
    { key }: Keyed = {},
  ): Promise<Session> {
    return this.#client.endSession(this.id, { outcome }, { key });
  }

  /** Puts the session into the trash, from where `client.undeleteSession` takes it. */
  delete(): Promise<Session> {
    return this.#client.deleteSession(this.id);
  }
}
