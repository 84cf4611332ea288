import {
  type McpServer,
  type PromptRequest,
  type PromptResponse,
  RequestError,
} from "@agentclientprotocol/sdk/unstable";
import { randomUUID } from "node:crypto";
import { AT_MESSAGE } from "../../agents/launch/at-message.ts";
import type { Command } from "./cli-process.ts";
import type { CliDefinition } from "../../agents/launch/stream-json-definition.ts";
import { AS_CONFIGURED, type Dialect, type Thread } from "./dialect/dialect.ts";
import { refusalOf } from "./refusal.ts";
import { takeTurn } from "./turn.ts";
import { Tokens } from "./tokens.ts";
import type { ClientChannel } from "./client-channel.ts";

export interface SessionOptions {
  dialect: Dialect;
  command: Command;
  thread: Thread;
  mcpServers: readonly McpServer[];
  definition: CliDefinition;
}

/** An open ACP session: which of the CLI's own sessions it is, and the turn that runs. */
export class Session {
  readonly id: string;
  mode: string = AS_CONFIGURED;
  #options: SessionOptions;
  #thread: Thread;
  /** The name that it can be resumed by, as far as the other side knows. */
  #told: string;
  #tokens: Tokens;
  #running: { cancel: AbortController; done: Promise<PromptResponse> } | null =
    null;

  constructor(options: SessionOptions) {
    const { thread } = options;
    this.#options = options;
    this.#thread = thread;
    // A new session of the CLI without an id gets one of ours, until the CLI has given it its own.
    this.id = thread.id ?? randomUUID();
    this.#told = this.id;
    this.#tokens = new Tokens(thread.kind === "new");
  }

  /** The CLI's own name of it, when it has one. */
  get token(): string | null {
    return this.#thread.kind === "known" ? this.#thread.id : null;
  }

  async prompt(
    prompt: PromptRequest["prompt"],
    channel: ClientChannel,
  ): Promise<PromptResponse> {
    if (this.#running)
      throw RequestError.invalidRequest({}, "a turn is running already");
    const cancel = new AbortController();
    const done = this.#take(prompt, channel, cancel);
    this.#running = { cancel, done };
    try {
      return await done;
    } finally {
      this.#running = null;
    }
  }

  cancel(): void {
    this.#running?.cancel.abort();
  }

  async close(): Promise<void> {
    this.cancel();
    await Promise.allSettled([this.#running?.done]);
  }

  async #take(
    prompt: PromptRequest["prompt"],
    channel: ClientChannel,
    cancel: AbortController,
  ): Promise<PromptResponse> {
    const { dialect, command, mcpServers, definition } = this.#options;
    const thread = this.#thread;
    // Until it is named: an id that a run without a word may have used up is not given to another.
    if (thread.kind !== "known")
      this.#thread = { ...thread, id: dialect.newId() };
    const turn = {
      run: dialect.launch({
        thread,
        prompt,
        mode: this.mode === AS_CONFIGURED ? null : this.mode,
        definition,
        mcpServers,
      }),
      listener: dialect.listen(randomUUID()),
      expected: thread.kind === "known" ? thread.id : null,
      onSession: (id: string) => this.#name(id, channel),
    };
    const end = await takeTurn(command, turn, channel, cancel);
    if (end.kind === "failed") throw refusalOf(end, this.id);
    const { stopReason, usage, at } = end;
    const spent = this.#tokens.spent(usage);
    return {
      stopReason,
      ...(spent === null ? {} : { usage: spent }),
      ...(at === null ? {} : { _meta: { [AT_MESSAGE]: at } }),
    };
  }

  async #name(id: string, channel: ClientChannel): Promise<void> {
    this.#thread = { kind: "known", id, at: null };
    if (id === this.#told) return;
    this.#told = id;
    await channel.token(id);
  }
}
