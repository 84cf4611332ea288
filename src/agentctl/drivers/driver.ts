import type {
  AgentError,
  Chosen,
  Correction,
  OwnMode,
} from "../../agents/agent/agent.ts";
import type { LoginWords } from "../../agents/launch/login.ts";
import type { AgentDefinition, Asks } from "../../contract/agent/agent.ts";
import type { AgentSettings } from "../../contract/agent/agent-settings.ts";
import type { Offered } from "../../contract/agent/offered.ts";
import type { ContentBlock } from "../../contract/base/content.ts";
import type { PermissionId, PromptId } from "../../contract/base/id.ts";
import type {
  OpenFailure,
  TranscriptState,
} from "../../contract/agent/opening.ts";
import type {
  ByteRange,
  ReportItem,
  StartFailure,
} from "../../contract/link/report.ts";
import type { InForce, Restriction } from "../../contract/agent/restriction.ts";
import type { Line } from "../../kit/data/ndjson.ts";

/**
 * A driver speaks one agent protocol. It is a pure fold: what happened goes in, what to do comes out; it holds no
 * socket, no clock and no promise, so that a successor can run it again over the same bytes and stand where it stood.
 *
 *     begin ─┐
 *interpret  ─┼─► state, effects          (what to send, what became of the session)
 *     want  ─┘
 *     tell  ───► one item or nothing     (what a line means to the server; needs no state but how the session opened)
 */
export interface Driver<State, Said> {
  begin(setup: Setup): Step<State>;
  /** Where the fold stood when the words up to a known point had been read. What follows them is read again. */
  restore(known: Known): State;
  /** What a line says. */
  read(line: Line): Said;
  interpret(
    setup: Setup,
    state: State,
    said: Said,
    range: ByteRange,
  ): Step<State>;
  want(setup: Setup, state: State, want: Want): Step<State>;
  /** Whether the agent waits for this permission. */
  isAsked(state: State, permission: PermissionId): boolean;
  tell(said: Said, range: ByteRange, context: Telling): ReportItem | null;
  /** A message that every agent refuses: its answer proves that all bytes before it were consumed. */
  ping(setup: Setup): Outgoing;
}

export interface Step<State> {
  state: State;
  effects: Effect[];
}

/** What is known before the agent says its first word, and does not change. */
export interface Setup {
  /** Of this run of agentctl: ids of messages begin with it, so those of two runs never meet. */
  incarnation: string;
  epoch: number;
  cwd: string;
  definition: AgentDefinition;
  /** Instructions, where the agent takes them apart from prompts. */
  briefing: string | null;
  open: Open;
  agent: {
    native: boolean;
    injection: boolean;
    isUnknownSession(error: AgentError): boolean;
    /** It can take a session up behind a certain message. */
    resumesAt?: boolean;
    /** It answers a load before its replay is over. */
    replayTrails?: boolean;
    /** What certain versions promise and do not keep. */
    corrections?: readonly Correction[];
    /** What only it understands, for every request that opens a session. */
    meta?: Readonly<Record<string, unknown>>;
    /** It was given the session's model, and need not be asked for it. */
    hasModel?: boolean;
    /** It was given the session's settings. */
    settings?: boolean;
    /** It keeps to the limits of its tools by itself. */
    keepsLimits?: boolean;
    /** Whether it asks before a tool runs, in a mode and with what is chosen of its options; before some, when this is not said. */
    asks?: (mode: string | null, chosen: Chosen) => Asks;
    /** The mode that the person's own configuration stands for. */
    ownMode?: OwnMode | null;
  };
}

export type Open =
  /** `failed`: why the agent's own session is not asked for, where there is one. */
  | { kind: "new"; failed?: OpenFailure }
  | {
      kind: "native";
      token: string;
      turns: number;
      cut?: number;
      /** What became of the agent's own session file since it was last seen. */
      transcript: TranscriptState;
      /** The message behind which it is taken up; its end when this is not said. */
      at?: string;
      /** Why it must not be asked for, whatever the agent can do. */
      barred?: string;
    };

/** What the journal knows of a conversation. */
export interface Known {
  ready: Ready | null;
  /** What the agent's own session is resumed by, when that is not the id it opened with. */
  token: string | null;
  /** Prompts that were taken and whose turn has not ended. */
  running: readonly PromptId[];
  /** Offsets of requests of the agent that have their answer. */
  answered: ReadonlySet<number>;
}

export type Want =
  | { kind: "prompt"; prompt_id: PromptId; content: ContentBlock[] }
  | { kind: "cancel" }
  | { kind: "answer"; permission_id: PermissionId; option_id: string | null }
  | {
      kind: "change";
      change: number;
      asked: AgentSettings;
      definition: AgentDefinition;
      offered: Offered;
    }
  | { kind: "close" };

/**
 * Why a message is sent. It is journalled with the message and decides what its delivery means. Words that are read
 * again call for the same messages again; by its purpose one that was committed is recognised and not sent twice.
 */
export type Purpose =
  | { kind: "open"; what: string }
  | { kind: "prompt"; prompt_id: PromptId }
  | { kind: "answer"; permission_id: PermissionId }
  | { kind: "cancel" }
  /** Setting the same value again changes nothing, so it may be sent any number of times. */
  | { kind: "change"; change: number; step: string }
  /** An answer we give by ourselves to what the agent asked at this offset. */
  | { kind: "reply"; to: number }
  | { kind: "close" }
  | { kind: "ping" };

export interface Outgoing {
  purpose: Purpose;
  /** Becomes one line of JSON. */
  body: Record<string, unknown>;
}

export type Ready = Extract<ReportItem, { kind: "ready" }>;
/** With the bytes that made it so. */
export type Opened = Ready & { range: ByteRange };

export type Effect =
  | { kind: "send"; message: Outgoing }
  | { kind: "opened"; ready: Opened }
  | {
      kind: "failed";
      failure: StartFailure;
      message: string;
      restriction?: Restriction;
    }
  /** With what the agent's own session is resumed by now, when that is not the id it opened with. */
  | { kind: "turn_ended"; prompt_id: PromptId; token: string | null }
  | { kind: "changed"; change: number; applied: InForce; offered: Offered }
  | { kind: "change_refused"; change: number; restriction: Restriction }
  | { kind: "closed" }
  | { kind: "notice"; code: string; text: string };

/** How the session opened, for `tell`: the line that made it ready, or null while there is none. */
export interface Telling {
  epoch: number;
  ready: Opened | null;
  /** What the tokens in an answer are those of; of its turn unless the registry knows better. */
  counts?: "turn" | "execution";
  /** How a person logs in to the agent, where that is known. */
  login?: LoginWords | undefined;
}
