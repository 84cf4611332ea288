import type { PromptRequest } from "../../contract/api/request.ts";
import type { Event } from "../../contract/event/event.ts";
import type { Message } from "../../contract/session/message.ts";
import type { Session } from "../../contract/session/session.ts";
import type { Answer, Client, FollowOptions, Given } from "../client.ts";
import { Turn } from "./turn.ts";

export interface Keyed {
  /** The idempotency key: whoever asks again with the same one gets the first answer. */
  key?: string;
}

/** A session by its id. It keeps nothing else: every call asks the server. */
export class SessionHandle {
  readonly id: string;
  readonly #client: Client;

  constructor(client: Client, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** Gives it a prompt, as text or in pieces. Resolves once the prompt is durable. */
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

  show(): Promise<Session> {
    return this.#client.showSession(this.id);
  }

  /** The whole conversation, oldest message first. */
  messages(): AsyncGenerator<Message> {
    return this.#client.allMessages(this.id);
  }

  /** Every event after a cursor, without end. */
  events(options?: FollowOptions): AsyncIterable<Event> {
    return this.#client.follow(this.id, options);
  }

  resume({ key }: Keyed = {}): Promise<Session> {
    return this.#client.resumeSession(this.id, { key });
  }

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

  /** Lets another agent go on with it. */
  handOff(agent: string, { key }: Keyed = {}): Promise<Session> {
    return this.#client.handOffSession(this.id, agent, { key });
  }

  end(
    outcome: "completed" | "cancelled" = "completed",
    { key }: Keyed = {},
  ): Promise<Session> {
    return this.#client.endSession(this.id, { outcome }, { key });
  }

  /** Puts it into the trash. */
  delete(): Promise<Session> {
    return this.#client.deleteSession(this.id);
  }
}
