import type { AgentView } from "../../contract/agent/agent.ts";

/** How to start an agent. */
export interface Launch {
  argv: string[];
  /** Variables it needs on top of the session's own. */
  env: Record<string, string>;
  /** Variables it gets unless the session says otherwise. */
  defaults?: Record<string, string>;
  /** Variables it must not see. */
  unset?: readonly string[];
  /** Files it gets, each named by a variable: what no variable can say. */
  files?: Readonly<Record<string, string>>;
  /** As far as files tell. */
  version: string | null;
  found: NonNullable<AgentView["found"]>;
}

export interface Where {
  /** The PATH to search. */
  path: string;
  env: Record<string, string>;
  /** The directory that holds our own programs. */
  programs: string;
  node: string;
  /** The session's directory: its project may bring the agent. */
  cwd?: string;
}
