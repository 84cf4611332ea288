import * as z from "zod";
import { AgentDefinition, AgentId } from "../agent/agent.ts";
import { SessionBudget } from "../base/budget.ts";
import { ChangedLines } from "./changed-lines.ts";
import { Checkpoint } from "./checkpoint.ts";
import { ExecutionId, SessionId, TaskId } from "../base/id.ts";
import { SmallMark } from "./line.ts";
import { Offered } from "../agent/offered.ts";
import { OnQuota } from "../agent/on-quota.ts";
import { Permission } from "../agent/permission.ts";
import { LOCAL, PlaceRef } from "../base/place.ts";
import { ProblemCode } from "../problem/problem.ts";
import { Prompt, UnresolvedPrompt } from "./prompt.ts";
import { NO_QUOTA, SessionQuota } from "./quota.ts";
import { Applied, Restriction } from "../agent/restriction.ts";
import { Resume, ResumeReason } from "../agent/resume.ts";
import { StateName, StatusName } from "./state.ts";
import { ContextUse, Usage } from "../base/usage.ts";

export const Session = z.object({
  id: SessionId,
  task_id: TaskId.nullable(),
  name: z.string().nullable(),
  agent: AgentId,
  agent_profile_id: AgentId,
  agent_execution_id: ExecutionId.nullable(),
  definition: AgentDefinition,
  executor: z.string(),
  /** Where its agent runs, or would run. */
  place: PlaceRef.default(LOCAL),
  executor_id: z.string().nullable(),
  state: StateName,
  status: StatusName,
  is_agent_running: z.boolean(),
  cwd: z.string(),
  worktree_id: z.string().nullable(),
  worktree_path: z.string().nullable(),
  worktree_branch: z.string().nullable(),
  metadata: z.object({
    resume_token: z.string().nullable(),
    /** The last message of the agent's own session, where it tells; null while a turn may have added others. */
    last_message_id: z.string().nullable().default(null),
  }),
  on_interrupt: z.enum(["wait", "continue"]),
  /** What is done when the agent's quota is used up. */
  on_quota: OnQuota.default("wait"),
  quota: SessionQuota.default(NO_QUOTA),
  created_at: z.iso.datetime(),
  last_active_at: z.iso.datetime(),
  /** When a person or a program last asked something of it: housekeeping does not count. */
  last_wish_at: z.iso.datetime(),
  last_seq: z.number().int(),
  /** Turns that have ended. */
  turn_count: z.number().int(),
  /** How many of them a rewind left behind. */
  turns_left_behind: z.number().int().default(0),
  pending_permissions: z.array(Permission),
  queued_prompts: z.array(Prompt),
  /** Prompts that wait for a decision: `interrupted` or `uncertain`. */
  unresolved_prompts: z.array(UnresolvedPrompt),
  /** The tokens of all turns. */
  usage: Usage.nullable(),
  /** What they cost, in the currency that the agent tells it in; null where no agent told. */
  cost: z.number().nullable().default(null),
  /** What they changed, without those that a rewind left behind; null where that was not counted. */
  changed_lines: ChangedLines.nullable().default(null),
  /** What the agent's context window holds, as it told last. */
  context: ContextUse.nullable().default(null),
  /** What it may spend in all, and what of that is spent; null where that is not limited. */
  budget: SessionBudget.nullable().default(null),
  error_message: z.string().nullable(),
  /** What kind of error it is, where that is known. */
  error_code: ProblemCode.nullable().default(null),
  /** With `restriction_not_held`: what could not be held, and what could be. */
  restriction: Restriction.nullable().default(null),
  /** What is in force, as the agent confirmed it; null until one was started with this definition. */
  applied: Applied.nullable().default(null),
  /** What the agent offers to choose from, as it told last; null until one did. */
  offered: Offered.nullable().default(null),
  /** What was changed although the agent that runs cannot be told: it applies when the next one is started. */
  at_next_start: z.array(z.enum(["model", "mode", "options"])).default([]),
  parent: z
    .object({ session_id: SessionId, turn: z.number().int() })
    .nullable(),
  /** The session whose agent started this one by a tool call; null where a person or a program did. */
  called_by: SessionId.nullable().default(null),
  /** The last one. */
  resume: Resume.nullable(),
  /** The beginning of its first prompt (200 characters); null before there was one, and as older releases have written it. */
  first_prompt: z.string().nullable().default(null),
  /** The end of what was said last, in one line. */
  last_words: z.string().nullable(),
  /** Whether turns are checkpointed, and what the newest checkpoint is. */
  checkpoints: z.boolean().default(false),
  checkpoint: Checkpoint.pick({
    id: true,
    turn: true,
    kind: true,
    outcome: true,
    at: true,
  })
    .nullable()
    .default(null),
  /** When it was put into the trash. */
  deleted_at: z.iso.datetime().nullable().default(null),
  /** The first event of its journal that cannot be trusted; null when it is sound as far as anybody has looked. */
  damaged_from: z.number().int().nullable().default(null),
  /** The newest marks of its line, oldest first; empty where an older release has written the session last. */
  line_tail: z.array(SmallMark).default([]),
  /** In lists: the fields of which something is left out, because they are long. Reading the session gives all of it. */
  shortened: z
    .array(
      z.enum([
        "definition",
        "queued_prompts",
        "pending_permissions",
        "unresolved_prompts",
        "error_message",
        "restriction",
        "offered",
      ]),
    )
    .optional(),
});
export type Session = z.infer<typeof Session>;

export const ExecutorStatus = z.enum(["starting", "ready", "error", "stopped"]);
export type ExecutorStatus = z.infer<typeof ExecutorStatus>;

/** Something that does not fit between the journal and the world, and what to do about it. */
export const Trouble = z.object({
  code: z.enum([
    "agentctl_unavailable",
    "agent_gone",
    "starting_too_long",
    "agent_silent",
    "workspace_busy",
    "session_damaged",
    "agent_unheard",
  ]),
  text: z.string(),
});
export type Trouble = z.infer<typeof Trouble>;

/** `task.session.status`: may this session be resumed, must it be, and why. */
export const SessionStatus = z.object({
  session_id: SessionId,
  task_id: TaskId.nullable(),
  state: StateName,
  agent_profile_id: AgentId,
  executor_status: ExecutorStatus,
  agent_execution_id: ExecutionId.nullable(),
  runtime: z.string(),
  is_agent_running: z.boolean(),
  is_resumable: z.boolean(),
  needs_resume: z.boolean(),
  resume_reason: ResumeReason.nullable(),
  requires_new_session: z.boolean(),
  /** When the world was looked at for this answer; null when nobody could look, and then it is what the journal says. */
  checked_at: z.iso.datetime().nullable().default(null),
  worktree_path: z.string().nullable(),
  worktree_branch: z.string().nullable(),
  error_message: z.string().nullable(),
  /** As in the session. */
  usage: Usage.nullable().default(null),
  context: ContextUse.nullable().default(null),
  quota: SessionQuota.default(NO_QUOTA),
  troubles: z.array(Trouble),
});
export type SessionStatus = z.infer<typeof SessionStatus>;

/** One row of `executors_running`. */
export const Executor = z.object({
  /** The session's `executor_id`. */
  id: z.string(),
  session_id: SessionId,
  task_id: TaskId.nullable(),
  runtime: z.string(),
  agentctl_url: z.string().nullable(),
  agentctl_port: z.number().int().nullable(),
  container_id: z.string().nullable(),
  pid: z.number().int().nullable(),
  status: ExecutorStatus,
  supports_session_resume: z.boolean(),
  supports_workspace_only: z.boolean(),
  resume_token: z.string().nullable(),
  last_message_id: z.string().nullable(),
  workspace_path: z.string(),
  worktree_id: z.string().nullable(),
  worktree_path: z.string().nullable(),
  worktree_branch: z.string().nullable(),
  agent_execution_id: ExecutionId,
  last_seen_at: z.iso.datetime(),
  error_message: z.string().nullable(),
  epoch: z.number().int(),
});
export type Executor = z.infer<typeof Executor>;
