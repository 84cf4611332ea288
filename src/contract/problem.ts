import * as z from "zod";
import { keysOf } from "./keys-of.ts";
import { Restriction } from "./restriction.ts";
import { ResumeReason } from "./resume.ts";

/** Every failure a caller can meet: its code, its HTTP status and its title. Closed: add here first. */
export const problems = {
  malformed_json: [400, "The body is not valid JSON"],
  invalid_request: [400, "The request does not fit the contract"],
  invalid_utf8: [400, "The body is not valid UTF-8"],
  invalid_text: [400, "The text holds a character that cannot be sent"],
  invalid_id: [400, "The id is not well formed"],
  unauthorized: [401, "A token is needed"],
  forbidden_origin: [403, "This origin may not use the server"],
  forbidden_host: [403, "This Host may not be used"],
  not_found: [404, "There is nothing at this address"],
  session_not_found: [404, "No such session"],
  task_not_found: [404, "No such task"],
  prompt_not_found: [404, "No such prompt"],
  permission_not_found: [404, "No such permission request"],
  checkpoint_not_found: [404, "No such checkpoint"],
  session_not_of_task: [404, "The session does not belong to this task"],
  method_not_allowed: [405, "The method is not allowed here"],
  wrong_state: [409, "Not possible in this state"],
  idempotency_conflict: [
    409,
    "The idempotency key was used for something else",
  ],
  permission_closed: [409, "The permission request is closed"],
  queue_full: [409, "Too many prompts are waiting"],
  workspace_busy: [
    409,
    "Processes of an ended execution still run in the workspace",
  ],
  home_held: [409, "Another server holds this home"],
  superseded: [409, "Another server has taken over"],
  resume_failed: [409, "The session could not be brought back"],
  restriction_not_held: [409, "A restriction cannot be held"],
  session_exists: [409, "The session is here already"],
  checkpoint_failed: [409, "What is there could not be captured"],
  rewind_conflict: [409, "Others changed the same files"],
  rewind_unconfirmed: [409, "It would undo what a person did"],
  file_exists: [409, "The file exists already"],
  worktree_conflict: [409, "The worktree or its branch is taken"],
  session_ended: [410, "The session has ended"],
  session_deleted: [410, "The session is in the trash"],
  body_too_large: [413, "The body is too large"],
  unsupported_media_type: [415, "The body must be JSON"],
  unknown_agent: [422, "No such agent"],
  agent_not_installed: [422, "The agent is not installed"],
  cwd_not_found: [422, "The working directory does not exist"],
  cwd_not_a_directory: [422, "The working directory is not a directory"],
  unknown_option: [422, "The permission request has no such option"],
  not_a_repository: [422, "Not a git repository"],
  damaged_archive: [422, "The file is damaged"],
  unsafe_archive: [422, "The file is not safe to take in"],
  newer_archive: [422, "The file was made by a newer release"],
  checkpoint_damaged: [500, "The checkpoint cannot be read"],
  content_not_supported: [422, "The agent does not take this kind of content"],
  not_supported: [422, "This is not supported"],
  session_damaged: [500, "The journal of the session is damaged"],
  storage_damaged: [500, "What is stored is damaged"],
  internal: [500, "Something went wrong in the server"],
  agent_failed_to_start: [502, "The agent could not be started"],
  agentctl_unavailable: [503, "agentctl cannot be reached"],
  storage_full: [507, "The disk is full"],
  storage_unavailable: [503, "The database cannot be written"],
  home_unusable: [503, "The home cannot be used"],
  timed_out: [504, "It took too long"],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ProblemCode = keyof typeof problems;
export const ProblemCode = z.enum(keysOf(problems));

/** RFC 9457, with a closed `code`. `detail` says what happened and what to do. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: ProblemCode,
  detail: z.string(),
  /** The state that stood in the way, for `wrong_state` and `session_ended`. */
  state: z.string().optional(),
  /** What was wrong with the request, field by field. */
  issues: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional(),
  /** For `session_damaged`: the number of the first event that cannot be trusted. */
  damaged_from: z.number().int().optional(),
  /** For `restriction_not_held`. */
  restriction: Restriction.optional(),
  /** For a resume: why the agent cannot be had, in the words of `resume_reason` in the session's status. */
  reason: ResumeReason.optional(),
});
export type Problem = z.infer<typeof Problem>;

/** The one error class of the house: an accident or a refusal that has to travel up a call stack. */
export class RepriseError extends Error {
  readonly code: ProblemCode;
  readonly state: string | undefined;
  readonly issues: Problem["issues"];
  readonly damaged_from: number | undefined;
  readonly restriction: Restriction | undefined;
  readonly reason: ResumeReason | undefined;
  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      cause?: unknown;
      state?: string;
      issues?: Problem["issues"];
      damaged_from?: number;
      restriction?: Restriction | undefined;
      reason?: ResumeReason;
    } = {},
  ) {
    super(detail, more.cause === undefined ? {} : { cause: more.cause });
    this.name = "RepriseError";
    this.code = code;
    this.state = more.state;
    this.issues = more.issues;
    this.damaged_from = more.damaged_from;
    this.restriction = more.restriction;
    this.reason = more.reason;
  }
}

export const problemOf = (error: RepriseError): Problem => {
  const [status, title] = problems[error.code];
  return {
    type: `urn:reprise:problem:${error.code}`,
    title,
    status,
    code: error.code,
    detail: error.message,
    ...(error.state === undefined ? {} : { state: error.state }),
    ...(error.issues === undefined ? {} : { issues: error.issues }),
    ...(error.damaged_from === undefined
      ? {}
      : { damaged_from: error.damaged_from }),
    ...(error.restriction === undefined
      ? {}
      : { restriction: error.restriction }),
    ...(error.reason === undefined ? {} : { reason: error.reason }),
  };
};
