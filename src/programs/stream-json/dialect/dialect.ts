import type {
  McpServer,
  PermissionOption,
  PromptRequest,
  SessionMode,
  SessionUpdate,
  StopReason,
  ToolCallUpdate,
  Usage,
} from "@agentclientprotocol/sdk/unstable";
import type { TranscriptWhere } from "../../../agents/state/session-state.ts";
import type { CliDefinition } from "../../../agents/launch/stream-json-definition.ts";

/**
 * What one CLI's lines and flags are. A dialect decides and does nothing: `launch` says how a turn is run, `listen`
 * makes a fold from the lines that the run prints to what they mean. Every turn is a run of its own.
 */
export interface Dialect {
  name: string;
  images: boolean;
  mcp: boolean;
  fork: boolean;
  /** Besides `AS_CONFIGURED`. */
  modes: readonly SessionMode[];
  /** The id that a new session is to have, or null when the CLI gives it one with its first turn. */
  newId(): string | null;
  /** Whether the CLI could have given a session this id. */
  isId(id: string): boolean;
  launch(order: TurnOrder): Run;
  /** How to find out, without a prompt, whether the CLI has a session. */
  lookup: Lookup;
  /** `run` is different for every run: what a CLI numbers anew in each can be told apart by it. */
  listen(run: string): Listener;
}

/** The mode of a session for which none was chosen: what the person has configured for the CLI. */
export const AS_CONFIGURED = "as-configured";

/** The CLI's own session, as the next turn has to name it. `at` is the message after which it goes on. */
export type Thread =
  | { kind: "new"; id: string | null }
  | { kind: "known"; id: string; at: string | null }
  | { kind: "fork"; of: string; id: string | null; at: string | null };

export type Lookup =
  /** A run that shows it. */
  | { kind: "run"; run(id: string): Run }
  /** The file it is kept in, or null when there is none. */
  | {
      kind: "file";
      find(where: TranscriptWhere, id: string): Promise<string | null>;
    }
  /** There is no way: the first turn shows it. */
  | { kind: "none" };

export interface TurnOrder {
  thread: Thread;
  prompt: PromptRequest["prompt"];
  mode: string | null;
  definition: CliDefinition;
  mcpServers: readonly McpServer[];
}

export interface Run {
  /** What follows the command. */
  args: string[];
  env: Record<string, string>;
  input: string;
  /** Whether it is told more after the first input: answers to what it asks. */
  talks: boolean;
}

/** Takes a line's JSON, says what it means. */
export type Listener = (line: unknown) => Interpreted[];

export type Interpreted =
  /** Which session of its own the CLI works in. */
  | { kind: "session"; id: string }
  | { kind: "update"; update: SessionUpdate }
  | { kind: "ask"; ask: Ask }
  /** Something asked that we have no answer for. */
  | { kind: "reply"; line: object }
  /** The run without a prompt has shown that the CLI has the session. */
  | { kind: "known" }
  | { kind: "finished"; stopReason: StopReason; usage: Counted | null }
  | { kind: "failed"; failure: Failure }
  /** Why it may be about to fail. */
  | { kind: "complaint"; message: string }
  /** The message that the session could be taken up after. */
  | { kind: "at"; message: string }
  /** Kept for whoever understands it. */
  | { kind: "unknown"; line: unknown };

export interface Ask {
  toolCall: ToolCallUpdate;
  options: PermissionOption[];
  /** What the CLI is told when an option is chosen. */
  answers: ReadonlyMap<string, object>;
}

/** Tokens of the turn, or of the whole session up to here. */
export interface Counted {
  of: "turn" | "session";
  usage: Usage;
}

export interface Failure {
  kind: "error" | "unknown_session" | "not_logged_in" | "rate_limit";
  message: string;
  /** When the limit ends, in seconds since 1970. */
  resetsAt?: number;
}

/** A fold as something that listens. */
export const listening = <Memory>(
  blank: Memory,
  interpret: (memory: Memory, line: unknown) => [Memory, Interpreted[]],
): Listener => {
  let memory = blank;
  return (line) => {
    const [next, interpreted] = interpret(memory, line);
    memory = next;
    return interpreted;
  };
};
