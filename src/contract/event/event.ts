import * as z from "zod";
import { AgentMessageId, AgentToken, InstructionFile } from "../agent/agent.ts";
import { AgentReady } from "./agent-ready.ts";
import { AgentctlReady } from "./agentctl-ready.ts";
import { budgetEvents } from "./budget-events.ts";
import { changeEvents } from "./change-events.ts";
import { checkpointEvents } from "./checkpoint-events.ts";
import { Memory } from "../session/checkpoint.ts";
import { ContentBlock } from "../base/content.ts";
import { Ending } from "../session/ending.ts";
import { GoneProcess } from "../session/process.ts";
import {
  ExecutionId,
  MessageId,
  PermissionId,
  PromptId,
  SessionId,
  TaskId,
} from "../base/id.ts";
import { InterruptionCode } from "../session/interruption.ts";
import { keysOf } from "../base/keys-of.ts";
import { Message } from "../session/message.ts";
import { Permission, PermissionCloseReason } from "../agent/permission.ts";
import { PlaceRef } from "../base/place.ts";
import { Resume, ResumeAsked } from "../agent/resume.ts";
import { ExecutionStart } from "./execution-start.ts";
import { HandedOff, QuotaFilled, QuotaPassedOver } from "./handover.ts";
import { RewindFailed, RewindRequested, Rewound } from "./rewind.ts";
import { SessionCreated } from "./session-created.ts";
import { StateChange } from "./state-change.ts";
import { StateReason } from "../session/state.ts";
import { TurnOutcome } from "../session/turn-outcome.ts";
import { LimitReached, PromptLimits } from "../agent/prompt-limits.ts";
import { ToldRestrictions } from "../agent/told-restrictions.ts";
import { Tool } from "../agent/tool.ts";
import { ContextUse, Limit, Usage } from "../base/usage.ts";

/** What happened to a session, in the past tense. Data rests in journals: fields may be added, never renamed. */
const eventData = {
  "session.created": SessionCreated,
  "session.state_changed": StateChange,
  ...changeEvents,
  "session.resume.requested": ResumeAsked,
  "session.execution.started": ExecutionStart,
  "session.execution.ended": z.object({
    execution_id: ExecutionId,
    epoch: z.number().int(),
    ending: Ending,
    stderr_tail: z.string(),
  }),
  "session.execution.stopping": z.object({
    execution_id: ExecutionId,
    epoch: z.number().int(),
    reason: StateReason,
    /** What went wrong, where that is the reason. */
    message: z.string().optional(),
  }),
  "session.agentctl_starting": z.object({ runtime: z.string() }),
  "session.agentctl_ready": AgentctlReady,
  "session.agentctl_error": z.object({
    runtime: z.string(),
    code: z.string(),
    message: z.string(),
  }),
  "session.agent.ready": AgentReady,
  "session.resumed": z.object({
    resume: Resume,
    /** Turns that were cut off and that the agent's own session does not hold: it is told of them. */
    forgotten: z.number().int().optional(),
  }),
  "session.token.recorded": z.object({
    execution_id: ExecutionId,
    epoch: z.number().int(),
    token: AgentToken,
  }),
  "session.token.cleared": z.object({ token: AgentToken, reason: z.string() }),
  "session.transcript.recorded": z.object({
    turn: z.number().int(),
    bytes: z.number().int(),
    sha256: z.string(),
  }),
  "session.prompt.queued": z.object({
    prompt_id: PromptId,
    content: z.array(ContentBlock),
    text: z.string(),
    /** Who queued it, where that was neither a person nor a program: it continues a turn that was cut off. */
    queued_by: z.literal("continuation").optional(),
    /** The execution that does not get it: it was started without the sender's credentials. It is followed by another one first. */
    not_with_epoch: z.number().int().optional(),
    /** It goes before prompts that wait already. */
    first: z.literal(true).optional(),
    /** A label of the sender's credentials, a keyed digest: another label is other credentials. Older releases counted (`7.1`). */
    credentials: z.string().optional(),
    /** What holds for its turn alone. */
    limits: PromptLimits.optional(),
  }),
  "session.prompt.delivered": z.object({
    prompt_id: PromptId,
    turn: z.number().int(),
    epoch: z.number().int(),
    /** The limits of the agent's tools; not said by older releases. */
    restrictions: ToldRestrictions.optional(),
  }),
  /** The agent never took it: it waits again, at the head of the queue. */
  "session.prompt.requeued": z.object({
    prompt_id: PromptId,
    turn: z.number().int(),
    content: z.array(ContentBlock),
    limits: PromptLimits.optional(),
  }),
  "session.prompt.cancelled": z.object({ prompt_id: PromptId }),
  "session.prompt.uncertain": z.object({
    prompt_id: PromptId,
    turn: z.number().int(),
    reason: z.string(),
    /** Why its turn was cut off; not said by older releases. */
    code: InterruptionCode.optional(),
  }),
  "session.prompt.resolved": z.object({
    prompt_id: PromptId,
    action: z.enum(["continue", "resend", "drop"]),
    /** The prompt that was queued in its place. */
    by: PromptId.nullable(),
    /** Nobody decided so: the session goes on by itself. */
    unasked: z.literal(true).optional(),
  }),
  /** History, or what was cut off, was put before a prompt: the text as the agent got it, once per resume. */
  "session.history.injected": z.object({
    prompt_id: PromptId,
    text: z.string(),
    /** How many of the oldest messages did not fit; not said by releases that did not count. */
    left_out: z.number().int().optional(),
  }),
  /** The agent is given something else than what was queued: the whole text as it gets it, once per hand-over. */
  "session.prompt.prepared": z.object({
    prompt_id: PromptId,
    text: z.string(),
    /** What was put before it, besides a history. */
    instructions: z.boolean(),
    restrictions: z.boolean(),
  }),
  "session.turn.started": z.object({
    turn: z.number().int(),
    prompt_id: PromptId,
    epoch: z.number().int(),
  }),
  "session.turn.ended": z.object({
    turn: z.number().int(),
    prompt_id: PromptId,
    outcome: TurnOutcome,
    stop_reason: z.string(),
    error: z.string().nullable(),
    usage: Usage.nullable(),
    /** The last message of the agent's own session, where it tells. */
    last_message_id: AgentMessageId.optional(),
    /** What the error is, where that is known. */
    failure: z.literal("not_logged_in").optional(),
  }),
  "session.turn.interrupted": z.object({
    turn: z.number().int(),
    prompt_id: PromptId,
    reason: z.string(),
    /** Not said by older releases. */
    code: InterruptionCode.optional(),
    /** It was cut short by a quota. */
    limit: Limit.optional(),
  }),
  "session.turn.cancel_requested": z.object({
    turn: z.number().int(),
    /** Why, where nobody asked for it. */
    limit: LimitReached.optional(),
  }),
  "session.message.added": z.object({ message: Message }),
  "session.message.updated": z.object({
    id: MessageId,
    append: z.string().optional(),
    text: z.string().optional(),
  }),
  "session.tool.updated": z.object({ id: MessageId, tool: Tool }),
  "session.plan.updated": z.object({
    turn: z.number().int(),
    entries: z.array(
      z.object({ text: z.string(), status: z.string(), priority: z.string() }),
    ),
  }),
  "session.permission.requested": z.object({
    permission: Permission,
    /** Nobody is asked: the answer is the next event. */
    answered_by: z.literal("policy").optional(),
  }),
  "session.permission.answered": z.object({
    id: PermissionId,
    option_id: z.string(),
    /** Who answered: a person unless it says otherwise. */
    by: z.literal("policy").optional(),
  }),
  "session.permission.delivered": z.object({ id: PermissionId }),
  "session.permission.closed": z.object({
    id: PermissionId,
    reason: PermissionCloseReason,
  }),
  /** What the context window holds. `usage` says the same in the words of older releases: it is no cost. */
  "session.usage": z.object({
    turn: z.number().int(),
    usage: Usage,
    context: ContextUse.optional(),
    limit: Limit.optional(),
    /** What the agent's own session has cost so far, where it tells. */
    cost: z.number().optional(),
  }),
  "session.agent.update": z.object({ update: z.unknown() }),
  "session.notice": z.object({
    level: z.enum(["info", "warning", "error"]),
    code: z.string(),
    text: z.string(),
    /** With `processes_gone`: what ran when somebody last looked, and does not any more. */
    processes: z.array(GoneProcess).exactOptional(),
  }),
  /** Which files of the workspace tell agents how to work: at the start, and whenever that has changed. */
  "session.instruction_files.recorded": z.object({
    files: z.array(InstructionFile),
  }),
  /** Other sessions work in the same directory. */
  "session.workspace.shared": z.object({ with: SessionId }),
  ...checkpointEvents,
  ...budgetEvents,
  /** The session goes on from what another one was after a turn. Its conversation so far follows. */
  "session.forked": z.object({
    parent: z.object({ session_id: SessionId, turn: z.number().int() }),
    /** How many turns that were; fewer than its number where a rewind had left some behind. */
    turns: z.number().int().optional(),
    /** Those that were cut off. */
    cut: z.array(z.number().int()).optional(),
    memory: Memory.nullable(),
  }),
  "session.rewind.requested": RewindRequested,
  "session.rewound": Rewound,
  "session.rewind.failed": RewindFailed,
  /** Another agent goes on with it. */
  "session.handed_off": HandedOff,
  "session.quota.filled": QuotaFilled,
  "session.quota.passed_over": QuotaPassedOver,
  /** It came from another home: nothing of it runs here, and its workspace is here. */
  "session.imported": z.object({
    cwd: z.string(),
    memory: Memory.nullable(),
    /** Where it goes on. Not said by older releases: `LOCAL`. */
    place: PlaceRef.optional(),
  }),
  "session.deleted": z.object({}),
  "session.undeleted": z.object({}),
  "session.ended": z.object({
    outcome: z.enum(["completed", "cancelled", "failed"]),
    reason: z.enum(["requested", "ttl", "gave_up"]),
  }),
} as const;

type EventData = typeof eventData;
export type EventType = keyof EventData;
export const eventTypes: readonly EventType[] = keysOf(eventData);

/** What `decide` gives: an event that has no number and no time yet. */
export type NewEvent = {
  [T in EventType]: {
    type: T;
    data: z.infer<EventData[T]>;
    /** The bytes of the agent's stdout that this event stands for. */
    origin?: Origin;
  };
}[EventType];

export const Origin = z.object({
  epoch: z.number().int(),
  from: z.number().int(),
  to: z.number().int(),
});
export type Origin = z.infer<typeof Origin>;

interface Envelope {
  seq: number;
  at: string;
  session_id: SessionId;
  task_id: TaskId | null;
}
export type Event = NewEvent & Envelope;
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;
export type EventDataOf<T extends EventType> = z.infer<EventData[T]>;

const envelope = {
  seq: z.number().int().positive(),
  at: z.iso.datetime(),
  session_id: SessionId,
  task_id: TaskId.nullable(),
  origin: Origin.optional(),
};

/** For documents and for clients that check: any event. Unknown types pass, so an older client can follow a newer server. */
export const Event = z.object({
  ...envelope,
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
});

/** The schema of each type's data, for the generated documents. */
export const eventSchemas: Record<EventType, z.ZodType> = eventData;
