/** What the MCP door needs to know of where it stands. Both doors, stdio and HTTP, serve the same tools from it. */
import type { Client } from "../../client/client.ts";
import type { SessionId } from "../../contract/base/id.ts";

export interface McpParts {
  client: Client;
  version: string;
  /** Where a session works when the call does not say it; null where only the caller knows. */
  cwd: string | null;
  /** The environment of the person, for an agent that is started for them. */
  callerEnv(): Promise<{ caller_env?: Record<string, string> }>;
  /** The directory that holds the readable files of sessions; null when they lie on another machine. */
  sessionsDirectory(): Promise<string | null>;
  /** The secret that signs what a client brings back with the answer to a form. The same after a restart. */
  stateKey(): Promise<string>;
  /** What the end of a call means for the turn that it waited for, unless the end names the person. */
  onCancel: "detach" | "cancel";
  /** How many agents called each other to get here. */
  depth: number;
  /** The session in which the caller runs, as far as its environment says; null for a person's own program. */
  calledBy: SessionId | null;
  /** Aborted when the door closes: calls that wait return. */
  closing: AbortSignal;
  times?: Partial<Times>;
}

export interface Times {
  /** How long a call waits before it may return a task handle. */
  firstMs: number;
  /** How often a call that waits tells its progress. */
  progressMs: number;
  /** How long the result of a turn waits for its list of changed files. */
  filesMs: number;
}

export const timesOf = ({ times }: McpParts): Times => ({
  firstMs: 10_000,
  progressMs: 10_000,
  filesMs: 10_000,
  ...times,
});
