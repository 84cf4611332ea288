import * as z from "zod";

export const ResumeStrategy = z.enum(["none", "native", "injected", "fresh"]);
export type ResumeStrategy = z.infer<typeof ResumeStrategy>;

export const ResumeGrade = z.enum([
  "reattached",
  "native",
  "injected",
  "fresh",
]);
export type ResumeGrade = z.infer<typeof ResumeGrade>;

/** What a resume did, and how honestly the agent's memory came back (P6). */
export const Resume = z.object({
  path: z.enum(["none", "reattach", "fast", "cold"]),
  strategy: ResumeStrategy,
  grade: ResumeGrade.nullable(),
  verified: z.boolean(),
  /** Null when nobody has looked. */
  workspace: z.enum(["unchanged", "changed", "restored"]).nullable(),
  /** In words, what the agent no longer knows; null when nothing was lost. */
  lost: z.string().nullable(),
  /** How many of the oldest messages did not fit into the history that the agent was given; absent when all did. */
  left_out: z.number().int().optional(),
  /** In whole milliseconds; older journals hold parts of one. */
  took_ms: z.number(),
});
export type Resume = z.infer<typeof Resume>;

/** How a session stands, and why it can or cannot be resumed. A refused resume gives the same reason. */
export const ResumeReason = z.enum([
  "recently_seen",
  "agent_not_running",
  "agent_not_running_fresh_start",
  "not_resumable",
  "missing_resume_token",
  /** The agent's own session file is gone, nothing of it was saved, and the agent takes no history. */
  "agent_session_missing",
  "workspace_missing",
  "workspace_not_a_directory",
  "agent_not_installed",
  "agentctl_unavailable",
  "paused",
  "error",
  "ended",
  "deleted",
  "damaged",
]);
export type ResumeReason = z.infer<typeof ResumeReason>;

/** Who asked for a resume. */
export const ResumeTrigger = z.enum([
  "start",
  "request",
  "prompt",
  "startup",
  "continue",
]);
export type ResumeTrigger = z.infer<typeof ResumeTrigger>;

/** Somebody or something asks for the agent of a session. */
export const ResumeAsked = z.object({
  trigger: ResumeTrigger,
  /** The label of who resumes after a start that failed: what waits is answered with these credentials. */
  credentials: z.string().optional(),
});
