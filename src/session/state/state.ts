import type {
  Abilities,
  AgentDefinition,
  AgentId,
} from "../../contract/agent/agent.ts";
import type {
  Checkpoint,
  CheckpointId,
  CheckpointKind,
  Memory,
} from "../../contract/session/checkpoint.ts";
import type { ContentBlock } from "../../contract/base/content.ts";
import type { EventDataOf } from "../../contract/event/event.ts";
import type {
  ExecutionId,
  MessageId,
  PermissionId,
  PromptId,
  SessionId,
  TaskId,
} from "../../contract/base/id.ts";
import type { TranscriptMark } from "../../contract/link/link.ts";
import type { Offered } from "../../contract/agent/offered.ts";
import type {
  LimitReached,
  PromptLimits,
} from "../../contract/agent/prompt-limits.ts";
import type { OnQuota } from "../../contract/agent/on-quota.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import type { InForce, Restriction } from "../../contract/agent/restriction.ts";
import type {
  Resume,
  ResumeReason,
  ResumeTrigger,
} from "../../contract/agent/resume.ts";
import type { ContextUse, Usage } from "../../contract/base/usage.ts";
import type { PersistentMap } from "../../kit/data/persistent-map.ts";
import type { Agentctl } from "./agentctl.ts";
import type { ChangedSoFar } from "./changed-lines.ts";
import type { Changes } from "./changes.ts";
import type { BudgetState } from "./limits/budget-state.ts";
import type { Quotas } from "./quota/quotas.ts";
import type { CutReason } from "./cut-reason.ts";
import type { Execution } from "./execution.ts";
import type { Line } from "./line.ts";
import type { ToolCalls } from "./tool-calls.ts";

/**
 * Everything a decision about a session needs, and nothing else: the fold of its journal. It holds no message text,
 * except that of prompts still to be delivered and the last words, and of everything that a turn can have any number of
 * only what is open and a fixed number of the newest, so that an event costs the same early and late in a session.
 * Snapshots of it rest in the store: raise the version when the shape or the meaning of a field changes.
 */
export const STATE_VERSION = 32;

export interface State {
  id: SessionId;
  created: Created;
  /** The number of the newest event. */
  seq: number;
  times: Times;
  lifecycle: Lifecycle;
  /** Since when it is in the trash. */
  deleted_at: string | null;
  workspace: Workspace;
  agent: Agent;
  /** The execution that may still have processes. At most one (P4). */
  execution: Execution | null;
  executions_so_far: ExecutionsSoFar;
  quotas: Quotas;
  agentctl: Agentctl | null;
  turns: Turns;
  prompts: Prompts;
  permissions: Permissions;
  output: Output;
  checkpoints: Checkpoints;
  budget: BudgetState;
  /** The newest marks of its line. */
  line: Line;
}

/** What was said when the session was created. Its name and what becomes of cut-off turns can be changed. */
export interface Created {
  at: string;
  task_id: TaskId | null;
  name: string | null;
  on_interrupt: "wait" | "continue";
  /** Null: as `on_interrupt` says. */
  on_quota: OnQuota | null;
  parent: EventDataOf<"session.created">["parent"];
  called_by: SessionId | null;
}

export interface Times {
  /** The stamp of the newest event. */
  newest_at: string;
  last_active_at: string;
  /** When somebody last asked something of it. */
  last_wish_at: string;
}

/** What the session works on. */
export interface Workspace {
  /** Where its agents are started. */
  place: PlaceRef;
  cwd: string;
  worktree: EventDataOf<"session.created">["worktree"];
  /** Whether others work in the same directory: then every turn is preceded by a checkpoint of its own. */
  shared: boolean;
}

/** Who works on it, and what is known of that agent whether it runs or not. */
export interface Agent {
  definition: AgentDefinition;
  abilities: Abilities;
  /** What is in force, as the agent reported when it was started with this definition. */
  applied: InForce | null;
  /** What it offers to choose from, as it told last. */
  offered: Offered | null;
  changes: Changes;
  /** The limits of its tools are in the agent's system prompt. */
  limits_in_prompt: boolean;
  /** Whether the agent ever took prompts: the first time is a start, later ones are resumes. */
  booted: boolean;
  /** What came of the newest resume. */
  resume: Resume | null;
  /** The agent's own session id, for a native resume. */
  token: string | null;
  /** The last message of that session, where the agent tells; null while a turn may have added others. */
  last_message_id: string | null;
  transcript: TranscriptMark | null;
  /** The agent's own session that must be put in place before it starts again. */
  memory: Memory | null;
  /** What the agent's context window held when it last told. */
  context: ContextUse | null;
}

/** All executions so far. */
export interface ExecutionsSoFar {
  /** The number of the newest; 0 before the first. */
  epoch: number;
  /** The newest one that has ended: its processes must be gone before another starts. */
  last_ended_id: ExecutionId | null;
  /** How many starts in a row ended and left no report of how. */
  lost_starts: number;
}

export interface Turns {
  /** The number of the newest. */
  last: number;
  /** How many are over, ended or interrupted. */
  over: number;
  /** How many of those a rewind has left behind. */
  left_behind: number;
  /** The newest ones that were cut off: the agent may have died before it wrote them down. */
  cut: readonly number[];
  /** Turns that began and in which nothing was done: the agent gave the prompt back, and it was withdrawn or began another turn. */
  withdrawn: readonly number[];
  rewinds: readonly Rewind[];
  /** The tokens of all of them. */
  usage: Usage | null;
  changed: ChangedSoFar;
}

export interface Prompts {
  queue: readonly QueuedPrompt[];
  before_next: BeforeNext;
  /** The newest ones that wait for a decision. */
  unresolved: readonly UnresolvedPrompt[];
  /** The prompt that comes into the place of one that was decided about, until it is queued. */
  replacement: {
    id: PromptId;
    about_seq: number;
    /** How many tool calls the turn had made that it goes on with. */
    tool_calls: number;
  } | null;
  /** The newest ones that took the place of a prompt by themselves because of a quota, and which one that was at first. */
  continued: readonly { by: PromptId; first: PromptId }[];
  /** How often in a row an interrupted turn was continued by itself. */
  continuations: number;
}

/** What the agent must be told before the next prompt. */
export interface BeforeNext {
  /** The history. */
  inject: boolean;
  /** How many of the turns that were cut off. */
  forgotten: number;
  /** The instructions: the agent's session is new, and there is no other way to tell it. */
  brief: boolean;
}

export interface Permissions {
  /** Those that wait for an answer. */
  pending: readonly Permission[];
  /** Answers that the agent has not got yet, by the permission's id. */
  answers: PersistentMap<Answer>;
}

/** What the agent says and does in the turn in progress, as far as more can come of it. */
export interface Output {
  /** The message that further text of the same role is appended to, while it has room. */
  open_message: OpenMessage | null;
  tools: ToolCalls;
  /** The end of what the agent said last, also in an earlier turn. */
  last_words: string | null;
  first_prompt: string | null;
}

export interface Checkpoints {
  /** Whether turns are checkpointed. */
  enabled: boolean;
  /** The one to take now. No turn begins before it was tried. */
  due: DueCheckpoint | null;
  /** The newest one that there is something to restore from. */
  newest: Checkpoint | null;
  /** Why the newest try failed; null when it did not. */
  failure: string | null;
  /** What the newest turn found; null where that is not known. */
  found: string | null;
  /** When the workspace was captured last, or the turn began. */
  secured_at: string;
  /** The rewind under way. */
  rewinding: EventDataOf<"session.rewind.requested"> | null;
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

/** After turn `at`, the session went on from turn `to`. */
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
  /** `idle`: because its agent had nothing to do, and not because somebody asked for it. */
  | { name: "PAUSED"; idle?: true }
  /** `restriction`: the one that could not be enforced; `code`: why the agent could not be started; `failure`: how its start failed. Each only where it is known. */
  | {
      name: "ERROR";
      message: string;
      restriction?: Restriction;
      code?: ResumeReason;
      failure?: string;
    }
  | { name: "COMPLETED" }
  | { name: "CANCELLED" }
  | { name: "FAILED" };

export interface Turn {
  number: number;
  prompt_id: PromptId;
  /** The event that holds the prompt. */
  content_seq: number;
  /** The event that holds the prompt that it is about: itself, or the one that it is to go on with. */
  about_seq: number;
  /** How often it had been handed over before and was not taken. */
  returned: number;
  delivery: Delivery;
  /** The agent has answered something. */
  began: boolean;
  cancelling: boolean;
  /** When a quota that is used up is filled again, if the agent told it before the turn ended. */
  resets_at: string | null;
  /** The label of the credentials of who sent its prompt. */
  credentials?: string;
  limits?: PromptLimits;
  /** How many it has made, with those of the turn that it goes on with. */
  tool_calls: number;
  /** Why it is being cancelled, and since when, where nobody asked for that. */
  beyond?: { limit: LimitReached; since: string };
}

/** Whether the agent has the prompt. */
export type Delivery = PendingDelivery | { kind: "delivered" };

export interface PendingDelivery {
  kind: "pending";
  content: readonly ContentBlock[];
  /** The history that goes before it is in the journal. */
  history_recorded: boolean;
  /** What the agent gets instead of what was queued is in the journal; whether the limits of its tools are in that. */
  prepared: { restrictions: boolean } | null;
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
  limits?: PromptLimits;
  /** How many tool calls the turn had made that it goes on with. */
  tool_calls: number;
}

/** How a turn was cut off. */
export type Cut =
  /** `by_quota`: the agent's quota is used up; `not_before`: until then, where that is known. */
  | { kind: "interrupted"; by_quota: boolean; not_before: string | null }
  /** Nobody knows whether the agent took the prompt. */
  | { kind: "uncertain" };

/** A prompt whose turn was cut off. */
export type UnresolvedPrompt = Cut &
  CutReason & {
    id: PromptId;
    turn: number;
    /** The event that holds its content, and the one that holds the prompt that it is about. */
    content_seq: number;
    about_seq: number;
    /** Which agent had it. */
    agent: AgentId;
    credentials?: string;
    tool_calls: number;
  };
