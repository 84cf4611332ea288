/** A session on this connection, with the client's end of it. */
import { type AgentContext, methods } from "@agentclientprotocol/sdk";
import type { Client } from "../client/client.ts";
import type { Offered } from "../contract/agent/offered.ts";
import type { SessionId } from "../contract/base/id.ts";
import { Attachment, type Audience } from "./attachment.ts";
import type { CursorFile } from "./cursor-file.ts";
import { choiceUpdates, knownAs } from "./translate/choice-updates.ts";
import type { Choices } from "./translate/choices.ts";
import type { Wire } from "./wire.ts";

interface Ends {
  client: Client;
  wire: Wire;
  context: AgentContext;
  notices: boolean;
  file: CursorFile | null;
  lost(): void;
}

export class OpenSession {
  readonly attachment: Attachment;
  /** What the client knows of the agent's choices. */
  choices: Choices = {};
  readonly #id: SessionId;
  readonly #ends: Ends;

  constructor(id: SessionId, ends: Ends) {
    this.#id = id;
    this.#ends = ends;
    this.attachment = new Attachment(
      ends.client,
      id,
      this.#audience(),
      ends.file,
    );
  }

  /** It is new: nothing of it was told. */
  begin(choices: Choices): void {
    this.choices = choices;
    this.attachment.begin();
  }

  /** The client learns these choices by an answer. */
  know(offered: Offered | null): Choices {
    if (offered !== null) this.choices = knownAs(this.choices, offered);
    return this.choices;
  }

  #audience(): Audience {
    const { wire, context, notices } = this.#ends;
    const tell: Audience["tell"] = async (update, written) => {
      const params = { sessionId: this.#id, update };
      wire.whenWritten(params, written);
      await context.notify(methods.client.session.update, params);
    };
    return {
      notices,
      tell,
      lost: () => this.#ends.lost(),
      ask: (question, signal) =>
        context.request(methods.client.session.requestPermission, question, {
          cancellationSignal: signal,
          stopWaitingOnCancel: true,
        }),
      choicesChanged: async () => {
        const { offered } = await this.#ends.client.showSession(this.#id);
        const { updates, told } = choiceUpdates(this.choices, offered);
        this.choices = told;
        for (const update of updates) await tell(update, () => undefined);
      },
    };
  }
}
