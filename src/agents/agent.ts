import type { SessionState } from "./session-state.ts";

/** What the house knows about an agent before it runs: how to launch it, what it may be asked for, where it keeps its sessions. */
export interface Agent {
  id: string;
  name: string;
  driver: "acp" | "stream-json";
  /** How to start it here, or null when it is not installed. */
  locate(where: Where): Promise<Launch | null>;
  /** Whether its own sessions may be resumed. The handshake decides whether they can be. */
  native: boolean;
  /** Whether history may be put into the first prompt of a fresh session of it. */
  injection: boolean;
  /** The command that installs it, or null when there is none to give. */
  install: string | null;
  /** The agent's own file of a session, or null when there is none. */
  transcript?(
    where: TranscriptWhere,
    nativeSessionId: string,
  ): Promise<string | null>;
  /** What to keep of its sessions so that they resume elsewhere. */
  state?: SessionState;
  /** Whether an error answer to opening a session means that the agent does not know that session. */
  isUnknownSession?(error: { code: number; message: string }): boolean;
}

export interface Launch {
  argv: string[];
  /** Variables it needs on top of the session's own. */
  env: Record<string, string>;
  version: string | null;
}

export interface Where {
  /** The PATH to search. */
  path: string;
  env: Record<string, string>;
  /** The directory that holds our own programs. */
  programs: string;
  node: string;
}

export interface TranscriptWhere {
  /** The home directory the agent runs with. */
  home: string;
  cwd: string;
  env: Record<string, string>;
}
