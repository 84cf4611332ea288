import type { SessionStatus } from "../contract/session.ts";
import { type AgentctlHealth, executorStatusOf } from "./executor-row.ts";
import type { WorldReport } from "./plan.ts";
import { resumability } from "./resumability.ts";
import type { State } from "./state.ts";
import { type Patience, troublesOf } from "./trouble.ts";
import { isAgentRunning } from "./view.ts";

/** `task.session.status`: the journal and the world, side by side. */
export const sessionStatusOf = (
  state: State,
  report: WorldReport,
  patience: Patience,
  at: string,
  health: AgentctlHealth,
): SessionStatus => {
  const running = isAgentRunning(state) && report.agent !== "gone";
  const last_seen_at = state.execution === null ? null : state.last_active_at;
  const resume = resumability(state, { running, last_seen_at }, at);
  return {
    session_id: state.id,
    task_id: state.task_id,
    state: state.lifecycle.name,
    agent_profile_id: state.definition.agent,
    executor_status: executorStatusOf(state, health),
    agent_execution_id: state.execution?.id ?? null,
    runtime: state.executor,
    is_agent_running: running,
    ...resume,
    requires_new_session:
      resume.resume_reason === "not_resumable" ||
      resume.resume_reason === "ended",
    worktree_path: state.worktree?.path ?? null,
    worktree_branch: state.worktree?.branch ?? null,
    error_message:
      state.lifecycle.name === "ERROR" ? state.lifecycle.message : null,
    troubles: troublesOf(state, report, patience, at),
  };
};
