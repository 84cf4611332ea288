import type {
  Abilities,
  AgentDefinition,
  Asks,
  CliDialect,
} from "../../contract/agent/agent.ts";
import type { AgentHome } from "../state/agent-home.ts";
import type { DefinitionVariables, AgentOptions } from "./agent-options.ts";
import type { Launch, Where } from "../launch/launch.ts";
import type { Login } from "../launch/login.ts";
import type { SessionState, TranscriptWhere } from "../state/session-state.ts";

/** What the house knows about an agent before it runs: how to launch it, what it may be asked for, where it keeps its sessions. */
export interface Agent {
  id: string;
  name: string;
  driver: "acp" | "stream-json";
  /** How to start it here, or null when it is not installed. */
  locate(where: Where): Promise<Launch | null>;
  /** The program that has to be found for it, unless it is our own. */
  program?: string | undefined;
  /** Only the configuration defines it: nobody knows what it can do, or how one logs in, before it runs. */
  configured?: true;
  /** Its program without ACP, for the driver `stream-json`. */
  cli?: Cli;
  /** Whether its own sessions may be resumed. The handshake decides whether they can be. */
  native: boolean;
  /** Whether history may be put into the first prompt of a fresh session of it. */
  injection: boolean;
  /** The command that installs it, or null when there is none to give. */
  install: string | null;
  /** What a login to it is; without one it needs none, or nobody knows. */
  login?: Login;
  /** How to give it a home of its own; without one it has only the person's. */
  home?: AgentHome;
  quirks?: Quirks;
  /** What it makes of a session's definition, beyond what ACP can say. */
  options?(definition: AgentDefinition): AgentOptions;
  variables?: DefinitionVariables;
  /** Whether it asks before a tool runs, in a mode and with what is chosen of its options; before some, when this is not said. */
  asks?: (mode: string | null, chosen: Chosen) => Asks;
  /** Whether a person's environment lets it act unasked, whatever its mode and options say. */
  allowsAll?: (env: Readonly<Record<string, string>>) => boolean;
  /** The mode that the person's own configuration stands for, where the agent's program does not follow it. */
  ownMode?: (where: TranscriptWhere) => Promise<OwnMode | null>;
  /** The agent's own file of a session, or null when there is none. */
  transcript?(
    where: TranscriptWhere,
    nativeSessionId: string,
  ): Promise<string | null>;
  /** Processes that have a session open, as far as the agent lets it be seen. */
  users?(where: TranscriptWhere, token: string): Promise<number[]>;
  /** What to keep of its sessions so that they resume elsewhere. */
  state?: SessionState;
  /** Whether an error answer to opening a session means that the agent does not know that session. */
  isUnknownSession?(error: AgentError): boolean;
}

/** What is in force of an agent's own options, by their ids. */
export type Chosen = Readonly<Record<string, string>>;

export interface OwnMode {
  /** What the configuration says. */
  asked: string;
  /** Modes that stand for it, the best first; none when no mode does. */
  modes: string[];
}

/** A program that takes a prompt and prints JSON lines. */
export interface Cli {
  dialect: CliDialect;
  program: string;
  locate(where: Where): Promise<Launch | null>;
  install: string;
}

/** An error answer of an agent. */
export interface AgentError {
  code: number;
  message: string;
  data?: unknown;
}

/** Where an agent behaves otherwise than its handshake says. */
export interface Quirks {
  /** What certain versions promise and do not keep. */
  corrections?: readonly Correction[];
  /** It answers a load before its replay is over. */
  replayTrails?: boolean;
  /** With each answer it tells the tokens of all turns since it was started. */
  counts?: "execution";
  /** The directory a session is bound to, or null when it is unknown: in another one it cannot be resumed natively. */
  boundTo?(where: TranscriptWhere, token: string): Promise<string | null>;
  /** A session must not be loaded before this time (ms); null when it may be. */
  notBefore?(where: TranscriptWhere, token: string): Promise<number | null>;
}

export interface Correction {
  /** Versions up to and with this one. */
  upTo: string;
  without: readonly (keyof Abilities)[];
}
