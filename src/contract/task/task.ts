import * as z from "zod";
import { AgentId } from "../agent/agent.ts";
import { Resume, ResumeGrade } from "../agent/resume.ts";
import { ChangeKind } from "../session/checkpoint.ts";
import { SessionTemplate } from "./session-template.ts";
import { SessionBudget } from "../base/budget.ts";
import { AttemptId, PromptId, SessionId, TaskId } from "../base/id.ts";

export const TaskState = z.enum([
  "TODO",
  "IN_PROGRESS",
  "REVIEW",
  "DONE",
  "CANCELLED",
  "FAILED",
]);
export type TaskState = z.infer<typeof TaskState>;

const seconds = z
  .number()
  .int()
  .min(1)
  .max(7 * 24 * 60 * 60);

/** Whether a task tries again by itself, and when (TSK-23 to TSK-25). */
export const RetryPolicy = z.strictObject({
  /** So many times at most since somebody last asked for an attempt. */
  limit: z.number().int().min(0).max(100).default(0),
  /** The first pause; each one after it is twice as long. */
  backoff_seconds: seconds.default(10),
  /** The longest pause. */
  most_seconds: seconds.default(600),
  /** After so many attempts in a row that did not succeed in one session, the next one gets a new session. */
  fresh_after: z.number().int().min(1).max(100).optional(),
});
export type RetryPolicy = z.infer<typeof RetryPolicy>;

/** Something that was asked for later than the description, which is version 1. */
export const Context = z.object({
  version: z.number().int(),
  name: z.string().optional(),
  text: z.string(),
  at: z.iso.datetime(),
});
export type Context = z.infer<typeof Context>;

/** `first` tells the task, `continue` goes on with it, `fresh` starts over, `update` adds to what is asked for. */
export const AttemptMode = z.enum(["first", "continue", "fresh", "update"]);
export type AttemptMode = z.infer<typeof AttemptMode>;

export const AttemptOutcome = z.enum([
  "succeeded",
  "failed",
  "timed_out",
  "interrupted",
  "cancelled",
]);
export type AttemptOutcome = z.infer<typeof AttemptOutcome>;

/** What became of a file in an attempt. */
export const FileChange = z.object({
  path: z.string(),
  change: ChangeKind,
});
export type FileChange = z.infer<typeof FileChange>;

/** Why an attempt ended as it did: a word for programs and a sentence for people. */
export const AttemptReason = z.object({ code: z.string(), text: z.string() });
export type AttemptReason = z.infer<typeof AttemptReason>;

export const Attempt = z.object({
  id: AttemptId,
  task_id: TaskId,
  number: z.number().int(),
  mode: AttemptMode,
  agent: AgentId,
  /** Null until there is one. */
  session_id: SessionId.nullable(),
  /** The id that the agent gave its own session. */
  agent_session_id: z.string().nullable(),
  prompt_ids: z.array(PromptId),
  /** Up to which version it was told what is asked for. */
  context_version: z.number().int(),
  state: z.enum(["starting", "running", "ended"]),
  outcome: AttemptOutcome.optional(),
  /** Why it ended so, for people and for programs. */
  reason: z.string().optional(),
  reason_code: z.string().optional(),
  /** How the agent came back for it, where it was away, and how much of its memory with it. */
  resume: Resume.optional(),
  grade: ResumeGrade.nullable().optional(),
  /** Null where it is not known. */
  files_changed: z.array(FileChange).nullable(),
  /** How many more files changed than are named. */
  files_left_out: z.number().int().optional(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().optional(),
});
export type Attempt = z.infer<typeof Attempt>;

export const Task = z.object({
  id: TaskId,
  /** Unique among tasks, where it has one. */
  name: z.string().optional(),
  title: z.string(),
  description: z.string(),
  state: TaskState,
  /** The agent of one of its sessions waits for an answer to a permission request. */
  needs_permission: z.boolean().default(false),
  /** Of the newest attempt; before the first one, the agent that was named. */
  agent: AgentId.optional(),
  cwd: z.string().optional(),
  worktree: z.string().optional(),
  /** How its sessions are made; left out of lists. */
  session: SessionTemplate.optional(),
  context_version: z.number().int(),
  contexts: z.array(Context),
  /** The session of the newest attempt, or the newest one of the task. */
  session_id: SessionId.nullable(),
  session_ids: z.array(SessionId),
  /** How many there were. */
  attempts: z.number().int(),
  retry: RetryPolicy,
  timeout_minutes: z.number().optional(),
  /** What its attempts may spend together, and what those that ended have spent. */
  budget: SessionBudget.optional(),
  /** When it tries again by itself. */
  retry_at: z.iso.datetime().optional(),
  /** How it stands, in one place, for programs that keep it beside their own records. */
  status: z.object({
    session_id: SessionId.nullable(),
    attempts: z.number().int(),
    context_version: z.number().int(),
    last_updated: z.iso.datetime(),
  }),
  /** When somebody closed it as done or cancelled, which is final. */
  closed_at: z.iso.datetime().optional(),
  /** When it was put into the trash. */
  deleted_at: z.iso.datetime().optional(),
  last_seq: z.number().int(),
  created_at: z.iso.datetime(),
  last_updated: z.iso.datetime(),
  /** The same as `last_updated`, by its older name. */
  updated_at: z.iso.datetime(),
  /** In lists: the fields of which something is left out, because they may be long. Reading the task gives all of it. */
  shortened: z.array(z.enum(["description", "contexts"])).optional(),
  /** Its title, its description or its time is not what was written. */
  damaged: z.literal(true).optional(),
});
export type Task = z.infer<typeof Task>;
