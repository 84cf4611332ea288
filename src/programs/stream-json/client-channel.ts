import {
  methods,
  type AgentContext,
  type SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import type { Ask } from "./dialect/dialect.ts";

/** What a session says upwards. */
export class ClientChannel {
  #client: AgentContext;
  #sessionId: string;

  constructor(client: AgentContext, sessionId: string) {
    this.#client = client;
    this.#sessionId = sessionId;
  }

  update(update: SessionUpdate): Promise<void> {
    return this.#client.notify(methods.client.session.update, {
      sessionId: this.#sessionId,
      update,
    });
  }

  /** A line that has no meaning in ACP: kept as it is. */
  line(line: unknown): Promise<void> {
    return this.#client.notify(LINE, { sessionId: this.#sessionId, line });
  }

  /** The CLI's own name of this session: the one to resume it by. */
  token(token: string): Promise<void> {
    return this.#client.notify(SESSION, { sessionId: this.#sessionId, token });
  }

  /** The option that was chosen, or null when none is going to be. */
  async ask({ toolCall, options }: Ask): Promise<string | null> {
    try {
      const { outcome } = await this.#client.request(
        methods.client.session.requestPermission,
        { sessionId: this.#sessionId, toolCall, options },
      );
      return outcome.outcome === "selected" ? outcome.optionId : null;
    } catch {
      return null;
    }
  }
}

const LINE = "_reprise/line";
const SESSION = "_reprise/session";
