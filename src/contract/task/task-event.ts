import * as z from "zod";
import { AgentId, AgentToken } from "../agent/agent.ts";
import { Resume } from "../agent/resume.ts";
import { Budget, Spent } from "../base/budget.ts";
import { AttemptId, PromptId, SessionId, TaskId } from "../base/id.ts";
import { PlaceRef } from "../base/place.ts";
import { StateName } from "../session/state.ts";
import { SessionTemplate } from "./session-template.ts";
import {
  AttemptMode,
  AttemptOutcome,
  AttemptReason,
  Context,
  FileChange,
  RetryPolicy,
  TaskState,
} from "./task.ts";

/** What can be said anew until the first attempt. */
export const TaskDescription = z.object({
  title: z.string(),
  description: z.string(),
  session: SessionTemplate,
  retry: RetryPolicy,
  timeout_minutes: z.number().nullable(),
  /** Not said by older releases. */
  budget: Budget.nullable().optional(),
});
export type TaskDescription = z.infer<typeof TaskDescription>;

/** How a prompt of an attempt went. */
export const PromptOutcome = z.enum([
  "completed",
  "cancelled",
  "refused",
  "failed",
  "interrupted",
  "uncertain",
  /** It was taken back before the agent had it. */
  "withdrawn",
]);
export type PromptOutcome = z.infer<typeof PromptOutcome>;

const attempt_id = AttemptId;
const number = z.number().int();

/** What happened to a task, in the past tense. Data rests in journals: fields may be added, never renamed. */
const taskEventData = {
  "task.created": TaskDescription.extend({
    name: z.string().nullable(),
    place: PlaceRef,
  }),
  "task.described": TaskDescription,
  "task.context.added": Context.omit({ at: true }),
  "task.state_changed": z.object({ from: TaskState, to: TaskState }),
  /** How one of its sessions stands. */
  "task.session.changed": z.object({
    session_id: SessionId,
    state: StateName,
    /** A turn is over in it. */
    has_turns: z.boolean(),
    /** Its agent waits for an answer to a permission request. */
    asks: z.boolean().optional(),
  }),
  /** Recorded before anything is done for it. */
  "task.attempt.started": z.object({
    attempt_id,
    number,
    mode: AttemptMode,
    agent: AgentId,
    /** The session that it goes on in; null when it gets a new one. */
    session_id: SessionId.nullable(),
    /** What it begins with. One that waits in the session already is not sent again. */
    prompt_id: PromptId,
    prompt_waits: z.boolean(),
    /** Up to which version that tells what is asked for. */
    context_version: number,
    /** Nobody asked for it. */
    automatic: z.boolean(),
    /** How its session is made, where it gets a new one. Older releases left it out and took what the task says. */
    session: SessionTemplate.optional(),
  }),
  /** What was added meanwhile is told in the same attempt. */
  "task.attempt.extended": z.object({
    attempt_id,
    prompt_id: PromptId,
    prompt_waits: z.boolean(),
    context_version: number,
  }),
  /** A session has a prompt of the attempt. */
  "task.prompt.queued": z.object({
    attempt_id,
    session_id: SessionId,
    prompt_id: PromptId,
  }),
  "task.prompt.over": z.object({
    attempt_id,
    prompt_id: PromptId,
    outcome: PromptOutcome,
    reason: AttemptReason.nullable(),
    /** A quota is used up until then. */
    not_before: z.iso.datetime().nullable(),
  }),
  /** The agent of an attempt begins to work, or waits for somebody. */
  "task.attempt.clock": z.object({
    attempt_id,
    is_working: z.boolean(),
    /** For how long it had worked until then. */
    worked_ms: number,
  }),
  /** Its agent had been away and came back. */
  "task.attempt.resumed": z.object({ attempt_id }),
  "task.attempt.timed_out": z.object({ attempt_id }),
  /** What came of it is known; what it changed is not yet. */
  "task.attempt.settled": z.object({
    attempt_id,
    outcome: AttemptOutcome,
    reason: AttemptReason.nullable(),
  }),
  "task.attempt.ended": z.object({
    attempt_id,
    outcome: AttemptOutcome,
    reason: AttemptReason.nullable(),
    agent_session_id: AgentToken.nullable(),
    resume: Resume.nullable(),
    files_changed: z.array(FileChange).nullable(),
    files_left_out: number,
    last_words: z.string().nullable(),
    /** What its session had spent in all by then; not said by older releases, null where it is not known. */
    spent: Spent.nullable().optional(),
  }),
  /** Its prompt waited behind an error, and the agent has it now. */
  "task.attempt.reopened": z.object({ attempt_id }),
  "task.retry.scheduled": z.object({
    at: z.iso.datetime(),
    mode: z.enum(["continue", "fresh"]),
  }),
  "task.retry.called_off": z.object({}),
  "task.closed": z.object({ as: z.enum(["done", "cancelled"]) }),
  /** It is in the trash, and its name is free. */
  "task.deleted": z.object({}),
  /** It is out of the trash, with its name if that was still free. */
  "task.undeleted": z.object({ name: z.string().nullable() }),
} as const;

type TaskEventData = typeof taskEventData;
export type TaskEventType = keyof TaskEventData;
export type TaskEventDataOf<T extends TaskEventType> = z.infer<
  TaskEventData[T]
>;

/** What `decide` gives: an event that has no number and no time yet. */
export type NewTaskEvent = {
  [T in TaskEventType]: { type: T; data: TaskEventDataOf<T> };
}[TaskEventType];

export type TaskEvent = NewTaskEvent & {
  seq: number;
  at: string;
  task_id: TaskId;
};

/** For documents and for clients that check: any event of a task. Unknown types pass. */
export const TaskEventView = z.object({
  seq: z.number().int().positive(),
  type: z.string(),
  at: z.iso.datetime(),
  task_id: TaskId,
  data: z.record(z.string(), z.unknown()),
});

/** The schema of each type's data, for the generated documents. */
export const taskEventSchemas: Record<TaskEventType, z.ZodType> = taskEventData;
