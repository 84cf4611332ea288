/** What is shown of a session whose journal is damaged: what was last known of it, and that this is so. */
import type { Session, SessionStatus } from "../../contract/session/session.ts";
import type { Liveness } from "../state/world-report.ts";

const words = (damaged_from: number): string =>
  `The journal of this session is damaged from event ${damaged_from} on. What came before can be read, exported and forked; nothing can be added. Fork the session at an earlier turn to go on, or delete it.`;

/** A session that is sound stays as it is. */
export const shownDamage = (session: Session): Session =>
  session.damaged_from === null
    ? session
    : {
        ...session,
        status: "error",
        error_message: words(session.damaged_from),
      };

/** `agent`: whether it lives; `checked_at`: when that was looked at. Both are null when nobody could look. */
export const damagedStatus = (
  session: Session,
  damaged_from: number,
  agent: Liveness | null,
  checked_at: string | null,
): SessionStatus => ({
  session_id: session.id,
  task_id: session.task_id,
  state: session.state,
  agent_profile_id: session.agent_profile_id,
  executor_status: agent === "alive" ? "ready" : "stopped",
  agent_execution_id: session.agent_execution_id,
  runtime: session.executor,
  is_agent_running: agent === "alive",
  is_resumable: false,
  needs_resume: false,
  resume_reason: "damaged",
  requires_new_session: true,
  checked_at,
  worktree_path: session.worktree_path,
  worktree_branch: session.worktree_branch,
  error_message: words(damaged_from),
  usage: session.usage,
  context: session.context,
  quota: session.quota,
  troubles: [
    { code: "session_damaged", text: words(damaged_from) },
    ...(agent === "alive"
      ? [
          {
            code: "agent_unheard" as const,
            text: "Its agent still runs. What it says is kept beside it and is not recorded; deleting the session stops it.",
          },
        ]
      : []),
  ],
});
