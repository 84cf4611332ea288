import type {
  Abilities,
  AgentDefinition,
  AgentId,
} from "../../contract/agent/agent.ts";
import type {
  Capture,
  Checkpoint,
  CheckpointId,
  CheckpointKind,
  Memory,
} from "../../contract/session/checkpoint.ts";
import type { Budget } from "../../contract/base/budget.ts";
import type { ContentBlock } from "../../contract/base/content.ts";
import type { EventDataOf } from "../../contract/event/event.ts";
import type {
  ExecutionId,
  PermissionId,
  PromptId,
  SessionId,
  TaskId,
} from "../../contract/base/id.ts";
import type { Message } from "../../contract/session/message.ts";
import type { PromptLimits } from "../../contract/agent/prompt-limits.ts";
import type { OnQuota } from "../../contract/agent/on-quota.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import type { ReportItem } from "../../contract/link/report.ts";
import type { ChangeSessionRequest } from "../../contract/api/change-request.ts";
import type { DefinitionChange } from "../../contract/api/request.ts";
import type { AgentctlFacts } from "./agentctl.ts";
import type { WorldReport } from "./world-report.ts";

/** What a session is to do or to record, in the imperative: from a caller, or from a reactor that tells what the world did. */
export type Command =
  | PromptQueue
  | { type: "prompt.cancel"; prompt_id: PromptId }
  | {
      type: "prompt.resolve";
      prompt_id: PromptId;
      action: "continue" | "resend" | "drop";
      /** The prompt that takes its place, for `continue` and `resend`. */
      by: NewPrompt | null;
      /** Nobody asked for it: the session continues cut-off turns by itself. */
      unasked?: true;
    }
  | { type: "turn.cancel" }
  /** Time has passed: is the turn in progress within its limits? */
  | { type: "turn.hold" }
  /** What the session may spend from now on, with what it has spent so far; null: whatever it takes. */
  | { type: "budget.set"; budget: Budget | null }
  | {
      type: "permission.answer";
      permission_id: PermissionId;
      option_id: string;
      /** The request as it stands: the state holds only those that wait. */
      known?: Permission | null;
    }
  | { type: "session.pause"; reason: "paused" }
  /** Pauses it if it has nothing to do. For how long that has been so, the caller has measured. */
  | { type: "session.rest" }
  | {
      type: "session.resume";
      trigger: "request";
      /** What is asked of the agent from now on. */
      changes?: DefinitionChange;
      /** What waits for a quota of the agent is tried at once. */
      now?: boolean;
      /** The label of the credentials of who asks. */
      credentials?: string;
    }
  /** Nobody asked for it by name: the server brings back what was cut off, if its agent would remember something. */
  | { type: "session.resume"; trigger: "startup"; report: WorldReport | null }
  | { type: "session.change"; changes: ChangeSessionRequest }
  /** The agentctl that holds the agent is of a release that knows no such order. */
  | { type: "change.keep"; change: number }
  | SessionEnd
  /** The execution with this epoch is provably gone, and nobody reported its end. */
  | {
      type: "execution.lose";
      epoch: number;
      /** Another agentctl home is where the execution was started. */
      reason?: "place_replaced";
    }
  | ExecutionBegin
  | AgentctlReport
  /** The agent of this execution is attached again, through this agentctl. */
  | {
      type: "execution.reattach";
      epoch: number;
      took_ms: number;
      agentctl: AgentctlFacts;
    }
  | ExecutionReport
  | {
      type: "execution.fail";
      /** The execution that could not be launched; null when it did not come to one. */
      epoch: number | null;
      code: string;
      message: string;
    }
  /** A prompt cannot be handed to the agent, however often it is tried. */
  | { type: "delivery.fail"; prompt_id: PromptId; message: string }
  | {
      type: "history.inject";
      prompt_id: PromptId;
      text: string;
      left_out: number;
    }
  /** What the agent gets instead of what was queued. */
  | {
      type: "delivery.prepare";
      prompt_id: PromptId;
      text: string;
      instructions: boolean;
      restrictions: boolean;
    }
  /** Another session works in the same directory. */
  | { type: "workspace.share"; with: SessionId }
  /** Captures the workspace if a turn runs. For how long it has done so since the last capture, the caller has measured. */
  | { type: "checkpoint.secure" }
  /** What came of a checkpoint. */
  | {
      type: "checkpoint.report";
      kind: CheckpointKind;
      turn: number;
      capture: Capture;
      token: string | null;
      /** Its place among the captures of all sessions. */
      order?: number;
    }
  /** There is nothing to capture. */
  | {
      type: "checkpoint.skip";
      kind: CheckpointKind;
      turn: number;
      reason: "workspace_missing";
    }
  | ({
      type: "session.rewind";
      /** The newest turn and checkpoint when it was found out what is to be undone. */
      seen: { last_turn: number; checkpoint_id: CheckpointId | null };
    } & EventDataOf<"session.rewind.requested">)
  | {
      type: "rewind.done";
      /** Git does not have the commit of then any more, or nobody knows which that was: it was left as it is. */
      commit_missing?: boolean;
      changes: number;
      /** Paths that could not be given all their extended attributes. */
      incomplete?: readonly string[];
    }
  | ({ type: "rewind.fail" } & Omit<
      EventDataOf<"session.rewind.failed">,
      "turn"
    >)
  | {
      type: "session.handoff";
      definition: AgentDefinition;
      abilities: Abilities;
    }
  /** Because of a quota, another agent goes on. Ignored where that is not to be done any more. */
  | {
      type: "quota.hand_over";
      to: AgentId;
      /** The prompt that goes on there, and the one that asks for it. */
      prompt_id: PromptId | null;
      by: NewPrompt | null;
      definition: AgentDefinition;
      abilities: Abilities;
    }
  /** An agent that was to stand in cannot. */
  | { type: "quota.pass_over"; agent: AgentId; code: string; message: string }
  /** A time may have come at which a quota is filled again. */
  | { type: "quota.look" }
  | { type: "session.delete" }
  | { type: "session.undelete" };

export type CommandType = Command["type"];

/** Makes a session: the one command that needs no state. */
export interface Create {
  session_id: SessionId;
  task_id: TaskId | null;
  name: string | null;
  definition: AgentDefinition;
  /** What the registry says until the agent's handshake tells. */
  abilities: Abilities;
  place: PlaceRef;
  cwd: string;
  worktree: EventDataOf<"session.created">["worktree"];
  on_interrupt: "wait" | "continue";
  /** What it may spend in all, where that is limited. */
  budget?: Budget;
  on_quota?: OnQuota;
  parent: EventDataOf<"session.created">["parent"];
  called_by?: SessionId;
  prompt: NewPrompt | null;
  checkpoints: boolean;
  /** What it goes on from, when it is a fork. */
  origin: Origin | null;
}

/** What another session was after a turn. */
export interface Origin {
  checkpoint: Checkpoint;
  memory: Memory | null;
  /** How many turns led there; as many as its number says, unless it is said. */
  turns?: number;
  /** Those that were cut off. */
  cut?: readonly number[];
  /** The conversation up to there; of a very long one, its end. */
  messages: readonly Message[];
  /** How many older messages there are. */
  left_out?: number;
}

export interface NewPrompt {
  prompt_id: PromptId;
  content: readonly ContentBlock[];
  /** The execution that it is not given to: it was started without this person's credentials, which are known now. */
  not_with_epoch?: number;
  /** The label of that person's credentials. */
  credentials?: string;
  /** What holds for its turn alone. */
  limits?: PromptLimits;
}

interface PromptQueue extends NewPrompt {
  type: "prompt.queue";
}

interface SessionEnd {
  type: "session.end";
  outcome: "completed" | "cancelled" | "failed";
  reason: "requested" | "ttl" | "gave_up";
}

/** agentctl is there; what it and the world say decides how the agent comes back. */
interface ExecutionBegin {
  type: "execution.begin";
  execution_id: ExecutionId;
  term: number;
  report: WorldReport;
  agentctl: AgentctlFacts;
  /** The label of the credentials that it is started with. */
  credentials?: string;
  /** Labels of waiting prompts whose credentials are not known any more. */
  without?: readonly string[];
}

/** How it goes with the agentctl of a session whose agent runs. */
interface AgentctlReport {
  type: "agentctl.report";
  agentctl:
    | { status: "starting" }
    /** It was reached again: news even of the one that was there before. */
    | { status: "reached"; facts: AgentctlFacts }
    | { status: "ready"; facts: AgentctlFacts }
    | { status: "error"; code: string; message: string };
}

interface ExecutionReport {
  type: "execution.report";
  epoch: number;
  items: readonly ReportItem[];
}
