import {
  type ProblemCode,
  RepriseError,
} from "../../contract/problem/problem.ts";
import { ServerUnreachable } from "../../client/client.ts";
import { UsageError } from "./usage-error.ts";

/** What the commands end with. Scripts rely on these numbers. */
export const exitCodes = {
  0: "ok",
  1: "failed",
  2: "wrong usage",
  3: "not found",
  4: "refused in this state",
  5: "the server cannot be reached",
  /** 128 + SIGINT, as shells have it: `… --follow && deploy` must not go on because somebody stopped looking. */
  130: "stopped watching with Ctrl-C; the session goes on",
} as const;
export type ExitCode = keyof typeof exitCodes;

const byProblem: Readonly<Record<ProblemCode, ExitCode>> = {
  malformed_json: 1,
  invalid_request: 2,
  invalid_utf8: 2,
  invalid_text: 2,
  invalid_id: 2,
  path_invalid: 2,
  path_outside: 2,
  path_denied: 1,
  unauthorized: 1,
  forbidden_origin: 1,
  forbidden_host: 1,
  not_found: 3,
  session_not_found: 3,
  task_not_found: 3,
  prompt_not_found: 3,
  permission_not_found: 3,
  checkpoint_not_found: 3,
  webhook_not_found: 3,
  path_not_found: 3,
  session_not_of_task: 3,
  method_not_allowed: 1,
  wrong_state: 4,
  idempotency_conflict: 4,
  permission_closed: 4,
  queue_full: 4,
  budget_reached: 4,
  workspace_busy: 4,
  workspace_missing: 4,
  home_held: 4,
  superseded: 4,
  moved_on: 4,
  // The state allowed it; it was tried and did not work.
  resume_failed: 1,
  restriction_not_held: 4,
  session_exists: 4,
  checkpoint_failed: 4,
  rewind_conflict: 4,
  rewind_unconfirmed: 4,
  file_exists: 4,
  worktree_conflict: 4,
  task_closed: 4,
  task_exists: 4,
  session_ended: 4,
  session_deleted: 4,
  precondition_failed: 4,
  file_too_large: 2,
  range_not_satisfiable: 2,
  too_many_links: 1,
  not_a_file: 2,
  not_a_directory: 2,
  body_too_large: 2,
  unsupported_media_type: 1,
  unknown_agent: 3,
  agent_not_installed: 1,
  cwd_not_found: 3,
  cwd_not_a_directory: 2,
  unknown_option: 2,
  not_a_repository: 2,
  invalid_pattern: 2,
  unknown_revision: 3,
  git_failed: 1,
  search_unavailable: 1,
  damaged_archive: 1,
  unsafe_archive: 1,
  newer_archive: 1,
  checkpoint_damaged: 1,
  session_damaged: 1,
  task_damaged: 1,
  storage_damaged: 1,
  content_not_supported: 2,
  not_supported: 1,
  internal: 1,
  agentctl_unavailable: 1,
  storage_full: 1,
  storage_unavailable: 1,
  home_unusable: 1,
  cannot_start: 1,
  timed_out: 1,
};

export const exitCodeOf = (error: unknown): ExitCode => {
  if (error instanceof UsageError) return 2;
  if (error instanceof ServerUnreachable) return 5;
  if (error instanceof RepriseError) return byProblem[error.code];
  return 1;
};
