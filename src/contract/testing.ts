/** A whole session, for tests of whoever stores, serves or shows one: a field that is added is added here. */
import type { SessionId } from "./id.ts";
import { LOCAL } from "./place.ts";
import type { Session } from "./session.ts";

const SAMPLE_AT = "2026-01-01T00:00:00.000Z";

/** At rest between turns, its agent not running, unless something else is said. */
export const sessionSample = (
  id: SessionId,
  different: Partial<Session> = {},
): Session => ({
  id,
  task_id: null,
  name: null,
  agent: "demo",
  agent_profile_id: "demo",
  agent_execution_id: null,
  definition: { agent: "demo", home: "user", env_names: [] },
  executor: LOCAL.kind,
  place: LOCAL,
  executor_id: null,
  state: "WAITING_FOR_INPUT",
  status: "active",
  is_agent_running: false,
  cwd: "/work",
  worktree_id: null,
  worktree_path: null,
  worktree_branch: null,
  metadata: { resume_token: null, last_message_id: null },
  on_interrupt: "wait",
  created_at: SAMPLE_AT,
  last_active_at: SAMPLE_AT,
  last_wish_at: SAMPLE_AT,
  last_seq: 0,
  turn_count: 0,
  turns_left_behind: 0,
  pending_permissions: [],
  queued_prompts: [],
  unresolved_prompts: [],
  usage: null,
  context: null,
  error_message: null,
  error_code: null,
  restriction: null,
  applied: null,
  parent: null,
  resume: null,
  last_words: null,
  checkpoints: false,
  checkpoint: null,
  deleted_at: null,
  damaged_from: null,
  ...different,
});
