/** Everything a command may touch outside itself. `bin.ts` gives the process's; tests give their own. */
import type { RecoveryMode } from "../../contract/api/config.ts";
import type { Client } from "../../client/client.ts";
import type { ChosenPlace } from "../../contract/base/executor-name.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type { RawTerminal } from "./raw-terminal.ts";
import type { Palette } from "./palette.ts";

export const CTRL_C: unique symbol = Symbol("Ctrl-C");

export interface World {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  version: string;
  /** What to type to call this program: the first word of every command it suggests. */
  program: string;
  now(): Date;
  /** All of standard input, for a prompt given as `-`. */
  stdin(): Promise<Uint8Array>;
  /** Asks the person at the terminal for a line; null where nobody is, or they left. Ctrl-C is an answer of its own. */
  ask(question: string): Promise<string | typeof CTRL_C | null>;
  /** Null where standard input or output is no terminal. */
  rawTerminal(): RawTerminal | null;
  out: Sink;
  err: Sink;
  /** `--json` was given. */
  json: boolean;
  /** The client of the server in use; made when first asked for. */
  client(): Promise<Client>;
  /** Called for Ctrl-C and SIGTERM until the returned function is called. */
  onSignal(
    listen: (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void,
  ): () => void;
  programs: Programs;
}

export interface Sink {
  /** Bytes go out as they are: they are for a file or another program. */
  write(text: string | Uint8Array): void;
  /** Resolves when whoever reads has taken what was written: for output of any length. */
  drained(): Promise<void>;
  isTerminal: boolean;
  /** Null where lines need not be cut: a file, a pipe. */
  columns: number | null;
  palette: Palette;
}

/** The parts of the house that the CLI may start but not see. */
export interface Programs {
  /** The file that runs this program, for those who start it anew. */
  executable: string;
  serve(options: ServeOptions): Promise<Served>;
  /** Serves MCP on standard input and output; resolves when the connection is over. */
  mcp(options: McpOptions): Promise<void>;
  /** Runs the daemon in this process; resolves when it is up. */
  agentctl(argv: readonly string[]): Promise<void>;
  /** Becomes the daemon, reachable over the network; comes back only when that fails. */
  host(options: HostOptions): Promise<void>;
  /** Speaks ACP on stdin and stdout; resolves with the exit code when the client has left. */
  acp(options: AcpOptions): Promise<0 | 1>;
}

export interface AcpOptions {
  agent: string;
  /** That new sessions are made by. */
  profile?: string | undefined;
  /** Where new sessions run. */
  place: ChosenPlace;
  version: string;
  env: World["env"];
  cwd: string;
  /** Only log in to the agent. */
  login: boolean;
}

export interface HostOptions {
  home: string;
  version: string;
  /** `HOST:PORT`. */
  listen: string;
  tokenFile: string | undefined;
  isPlain: boolean;
  isJson: boolean;
  env: World["env"];
}

export interface McpOptions {
  client: Client;
  version: string;
  /** Where a session works when the call does not say it. */
  cwd: string;
  callerEnv(): Promise<{ caller_env?: Record<string, string> }>;
  /** Null when the files of the sessions lie on another machine. */
  sessionsDirectory(): Promise<string | null>;
  /** A secret that the server's owner and this program share. */
  stateKey(): Promise<string>;
  onCancel: "detach" | "cancel";
  /** How many agents called each other to get here. */
  depth: number;
  calledBy: SessionId | null;
  closing: AbortSignal;
}

export interface ServeOptions {
  home: string;
  host?: string;
  port?: number;
  recovery?: RecoveryMode;
  takeOver?: boolean;
  /** Called with what the user has to know while the server runs. */
  tell?(words: string): void;
}

export interface Served {
  url: string;
  home: string;
  /** What the user has to know, though the server is up. */
  warnings?: readonly string[];
  /** Resolves when recovery knows which agents run; requests are taken before. */
  recovered: Promise<{ running: number }>;
  /** Resolves when another server has taken over the home. */
  superseded: Promise<void>;
  /** Resolves when the home was removed. */
  homeRemoved: Promise<void>;
  close(): Promise<{ agentsRunning: number }>;
}
