import {
  methods,
  type AgentContext,
  type PermissionOption,
  type SessionUpdate,
  type ToolCall,
  type ToolCallUpdate,
} from "@agentclientprotocol/sdk/unstable";

/** The agent's side of one turn: what it says, shows and asks while it works on a prompt. */
export class Turn {
  readonly cwd: string;
  readonly signal: AbortSignal;
  #client: AgentContext;
  #sessionId: string;
  #cancel: AbortController;
  #said = "";

  constructor(client: AgentContext, sessionId: string, cwd: string) {
    this.#client = client;
    this.#sessionId = sessionId;
    this.#cancel = new AbortController();
    this.cwd = cwd;
    this.signal = this.#cancel.signal;
  }

  /** Everything said so far. */
  get said(): string {
    return this.#said;
  }

  cancel(): void {
    this.#cancel.abort();
  }

  async say(text: string): Promise<void> {
    await this.#update({
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text },
    });
    this.#said += text;
  }

  show(call: ToolCall): Promise<void> {
    return this.#update({ sessionUpdate: "tool_call", ...call });
  }

  /** Shows how a tool call goes on; also after a cancel, because an open tool call must not stay open. */
  showMore(update: ToolCallUpdate): Promise<void> {
    return this.#notify({ sessionUpdate: "tool_call_update", ...update });
  }

  /** The option that was chosen. An answer that chooses none means that the turn is being cancelled. */
  async ask(toolCall: ToolCallUpdate): Promise<PermissionOption> {
    this.signal.throwIfAborted();
    const answer = await orAborted(
      this.signal,
      this.#client.request(methods.client.session.requestPermission, {
        sessionId: this.#sessionId,
        toolCall,
        options,
      }),
    );
    const { outcome } = answer;
    if (outcome.outcome === "cancelled") this.cancel();
    this.signal.throwIfAborted();
    const chosen = options.find(
      ({ optionId }) =>
        outcome.outcome === "selected" && optionId === outcome.optionId,
    );
    if (!chosen) throw new Error("an option was chosen that does not exist");
    return chosen;
  }

  #update(update: SessionUpdate): Promise<void> {
    this.signal.throwIfAborted();
    return this.#notify(update);
  }

  #notify(update: SessionUpdate): Promise<void> {
    return this.#client.notify(methods.client.session.update, {
      sessionId: this.#sessionId,
      update,
    });
  }
}

const options: PermissionOption[] = [
  { optionId: "allow_once", name: "Allow", kind: "allow_once" },
  { optionId: "allow_always", name: "Always allow", kind: "allow_always" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
];

/** Rejects at once when aborted: a cancelled turn does not wait for a client to answer. */
const orAborted = async <T>(
  signal: AbortSignal,
  work: Promise<T>,
): Promise<T> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
};
