import type {
  Abilities,
  AgentDefinition,
  AgentId,
} from "../../contract/agent.ts";
import type {
  Checkpoint,
  CheckpointId,
  CheckpointKind,
  Memory,
} from "../../contract/checkpoint.ts";
import type { ContentBlock } from "../../contract/content.ts";
import type { EventDataOf } from "../../contract/event.ts";
import type {
  ExecutionId,
  MessageId,
  PermissionId,
  PlaceId,
  PromptId,
  SessionId,
  TaskId,
} from "../../contract/id.ts";
import type { Rebuild } from "../../contract/link-workspace.ts";
import type { TranscriptMark } from "../../contract/link.ts";
import type { OpenFailure } from "../../contract/opening.ts";
import type { Permission } from "../../contract/permission.ts";
import type { PlaceRef } from "../../contract/place.ts";
import type { InForce, Restriction } from "../../contract/restriction.ts";
import type {
  Resume,
  ResumeReason,
  ResumeTrigger,
} from "../../contract/resume.ts";
import type { StateReason } from "../../contract/state.ts";
import type { ContextUse, Usage } from "../../contract/usage.ts";
import type { PersistentMap } from "../../kit/data/persistent-map.ts";
import type { ToolCalls } from "./tool-calls.ts";

/**
 * Everything a decision about a session needs, and nothing else: the fold of its journal. It holds no message text,
 * except that of prompts still to be delivered and the last words, and of everything that a turn can have any number of
 * only what is open and a fixed number of the newest, so that an event costs the same early and late in a session.
 * Snapshots of it rest in the store: raise the version when the shape or the meaning of a field changes.
 */
export const STATE_VERSION = 23;

export interface State {
  id: SessionId;
  task_id: TaskId | null;
  name: string | null;
  definition: AgentDefinition;
  /** Where its agents are started. */
  place: PlaceRef;
  cwd: string;
  worktree: EventDataOf<"session.created">["worktree"];
  on_interrupt: "wait" | "continue";
  parent: EventDataOf<"session.created">["parent"];
  created_at: string;

  seq: number;
  /** The stamp of the newest event. */
  at: string;
  last_active_at: string;
  /** When somebody last asked something of it. */
  last_wish_at: string;
  lifecycle: Lifecycle;

  /** The number of the newest execution; 0 before the first. */
  epoch: number;
  /** The execution that may still have processes. At most one (P4). */
  execution: Execution | null;
  /** The newest one that has ended: its processes must be gone before another starts. */
  last_execution_id: ExecutionId | null;
  agentctl: Agentctl | null;

  /** The number of the newest turn. */
  last_turn: number;
  /** Turns that are over, ended or interrupted. */
  turns_over: number;
  /** Turns that a rewind has left behind. */
  left_behind: number;
  /** The newest turns that were cut off: the agent may have died before it wrote them down. */
  cut: readonly number[];
  /** Those that were begun and never came to be: the prompt was given back, and withdrawn or left to begin another turn. */
  withdrawn: readonly number[];
  queue: readonly QueuedPrompt[];
  /** The prompt that comes into the place of one that was decided about, until it is queued. */
  replacement: { id: PromptId; about_seq: number } | null;
  /** The newest ones that wait for a decision. */
  unresolved: readonly UnresolvedPrompt[];
  /** How often in a row an interrupted turn was continued by itself. */
  continuations: number;

  /** Those that wait for an answer. */
  permissions: readonly Permission[];
  /** Answers that the agent has not got yet, by the permission's id. */
  answers: PersistentMap<Answer>;
  tools: ToolCalls;
  /** The message that further text of the same role is appended to, while it has room. */
  open_message: OpenMessage | null;

  /** The agent's own session id, for a native resume. */
  token: string | null;
  /** The last message of that session, where the agent tells; null while a turn may have added others. */
  last_message_id: string | null;
  abilities: Abilities;
  /** What is in force, as the agent told when it was started with this definition. */
  applied: InForce | null;
  transcript: TranscriptMark | null;
  /** Starts in a row that were cut off and of which nobody knows how. */
  lost_starts: number;
  /** Whether the agent ever took prompts: the first time is a start, later ones are resumes. */
  booted: boolean;
  /** History goes before the next prompt. */
  inject: boolean;
  /** How many of the turns that were cut off the agent must be told of, before the next prompt. */
  forgotten: number;
  /** So do the instructions: the agent's session is new, and there is no other way to tell it. */
  brief: boolean;
  /** The limits of its tools are in the agent's system prompt. */
  told_limits: boolean;
  resume: Resume | null;
  /** The agent's own session that must be put in place before it starts again. */
  memory: Memory | null;

  /** Whether turns are checkpointed. */
  checkpoints: boolean;
  /** The checkpoint that is to be taken now. No turn begins before it has been tried. */
  due: DueCheckpoint | null;
  /** The newest one that there is something to restore from. */
  checkpoint: Checkpoint | null;
  /** Why the newest try failed; null when it did not. */
  capture_failure: string | null;
  /** Whether others work in the same directory: then every turn is preceded by a checkpoint of its own. */
  shared: boolean;
  /** When the workspace was captured last, or the turn began. */
  secured_at: string;
  rewinding: EventDataOf<"session.rewind.requested"> | null;
  /** Rewinds so far: after turn `at`, the session went on from turn `to`. */
  rewinds: readonly Rewind[];
  deleted_at: string | null;

  /** The tokens of all turns. */
  usage: Usage | null;
  /** What the agent's context window held when it last told. */
  context: ContextUse | null;
  last_words: string | null;
}

export interface Answer {
  id: PermissionId;
  /** Null: there will be no answer, and the agent is told so. */
  option_id: string | null;
}

export interface OpenMessage {
  id: MessageId;
  role: "agent" | "thought";
  characters: number;
}

export interface DueCheckpoint {
  kind: CheckpointKind;
  turn: number;
}

export interface Rewind {
  at: number;
  to: number;
  /** What the workspace was brought back to. */
  checkpoint_id: CheckpointId;
  /** What was captured before it. */
  undo_id: CheckpointId | null;
}

export type Lifecycle =
  | { name: "CREATED" }
  | { name: "STARTING"; trigger: ResumeTrigger; since: string }
  | { name: "RUNNING"; turn: Turn }
  | { name: "WAITING_FOR_INPUT" }
  | { name: "PAUSED" }
  /** `restriction`: what could not be held; `code`: why the agent could not be had, where one of them is the reason. */
  | {
      name: "ERROR";
      message: string;
      restriction?: Restriction;
      code?: ResumeReason;
    }
  | { name: "COMPLETED" }
  | { name: "CANCELLED" }
  | { name: "FAILED" };

export interface Turn {
  number: number;
  prompt_id: PromptId;
  /** Kept until the agent has it. */
  content: readonly ContentBlock[] | null;
  /** The event that holds it. */
  content_seq: number;
  /** The event that holds the prompt that it is about: itself, or the one that it is to go on with. */
  about_seq: number;
  /** How often it had been handed over before and was not taken. */
  returned: number;
  /** The history that goes before it is in the journal. */
  told: boolean;
  /** What the agent gets instead of what was queued is in the journal; whether the limits of its tools are in that. */
  prepared: { restrictions: boolean } | null;
  delivered: boolean;
  /** The agent has answered something. */
  began: boolean;
  cancelling: boolean;
  /** When a quota that is used up is filled again, if the agent told it before the turn ended. */
  resets_at: string | null;
  /** The label of the credentials of who sent its prompt. */
  credentials?: string;
}

export interface Execution {
  id: ExecutionId;
  epoch: number;
  place: PlaceRef;
  /** Of the agentctl that it was started by, or first found by; null when that did not say. */
  place_id: PlaceId | null;
  /** Bytes of the agent's stdout that the journal stands for. */
  offset: number;
  path: Resume["path"];
  strategy: Resume["strategy"];
  token: string | null;
  /** Why the agent's own session is not asked for, where there is one. */
  failed: OpenFailure | null;
  /** What had to be there before the agent started. */
  rebuild: Rebuild | null;
  /** The label of the credentials that it was started with. */
  credentials?: string;
  /** Labels of prompts that it may be given although it runs without their credentials: nobody has those any more. */
  without?: readonly string[];
  /** Tokens of its turns so far. */
  spent: Usage | null;
  phase:
    | { kind: "starting" }
    | { kind: "ready" }
    /** `again`: someone asked for the agent meanwhile, so bring it back when it is gone. */
    | {
        kind: "stopping";
        reason: StateReason;
        again: ResumeTrigger | null;
        /** What went wrong, where that is the reason. */
        message?: string;
      };
}

export interface Agentctl {
  status: "starting" | "ready" | "error";
  /** The process that was reached: nothing while it is being reached, or cannot be had. */
  url: string | null;
  port: number | null;
  container_id: string | null;
  pid: number | null;
  build: string | null;
  message: string | null;
  /** What it, or the one before it, answered when it was probed; null when nobody said. */
  supports_session_resume: boolean | null;
  supports_workspace_only: boolean | null;
}

export interface QueuedPrompt {
  id: PromptId;
  content: readonly ContentBlock[];
  /** The event that holds it. */
  content_seq: number;
  /** The event that holds the prompt that it is about: itself, or the one that it is to go on with. */
  about_seq: number;
  bytes: number;
  /** Set when its turn had begun before and the agent never took it. */
  turn: number | null;
  /** How often it was handed over and not taken. */
  returned: number;
  /** The execution that it is not given to. */
  not_with_epoch?: number;
  /** The label of its sender's credentials. */
  credentials?: string;
}

export interface UnresolvedPrompt {
  id: PromptId;
  turn: number;
  kind: "interrupted" | "uncertain";
  /** The event that holds its content, and the one that holds the prompt that it is about. */
  content_seq: number;
  about_seq: number;
  /** Which agent had it. */
  agent: AgentId;
  /** The agent's quota is used up until then. */
  not_before: string | null;
  credentials?: string;
}
