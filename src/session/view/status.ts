import type { SessionStatus } from "../../contract/session/session.ts";
import { type AgentctlHealth, executorStatusOf } from "./executor-row.ts";
import { placeOf } from "../state/place.ts";
import { decideResume } from "../resume/resume.ts";
import { resumability, resumabilityUnseen } from "../resume/resumability.ts";
import type { State } from "../state/state.ts";
import { type Patience, troublesOf } from "./trouble.ts";
import { quotaOf } from "./quota.ts";
import { isAgentRunning } from "./view.ts";
import type { WorldReport } from "../state/world-report.ts";

/** What was seen of the world, and when. */
export interface Sighting {
  report: WorldReport;
  at: string;
}

/** `task.session.status`: the journal and the world, side by side. `seen` is null when nobody could look. */
export const sessionStatusOf = (
  state: State,
  seen: Sighting | null,
  patience: Patience,
  at: string,
  health: AgentctlHealth,
): SessionStatus => {
  const report = seen?.report ?? null;
  // No agentctl was needed, so none is there: nothing is wrong with that.
  const isAtRest =
    report === null && health === "stopped" && state.execution === null;
  return {
    session_id: state.id,
    task_id: state.created.task_id,
    state: state.lifecycle.name,
    agent_profile_id:
      state.agent.definition.profile ?? state.agent.definition.agent,
    executor_status: executorStatusOf(state, health),
    agent_execution_id: state.execution?.id ?? null,
    runtime: placeOf(state).kind,
    is_agent_running: isAgentRunning(state) && report?.agent !== "gone",
    ...(isAtRest
      ? resumabilityUnseen(state, at)
      : resumability(state, decideResume(state, report), at)),
    checked_at: seen?.at ?? null,
    worktree_path: state.workspace.worktree?.path ?? null,
    worktree_branch: state.workspace.worktree?.branch ?? null,
    error_message:
      state.lifecycle.name === "ERROR" ? state.lifecycle.message : null,
    usage: state.turns.usage,
    context: state.agent.context,
    quota: quotaOf(state),
    troubles: troublesOf(state, isAtRest ? "at_rest" : report, patience, at),
  };
};
