import { canResumeNatively } from "../../contract/agent/agent.ts";
import { executorIdOf } from "../../contract/base/id.ts";
import { isTerminal } from "../../contract/session/state.ts";
import {
  Executor,
  type ExecutorStatus,
} from "../../contract/session/session.ts";
import { keysOf } from "../../contract/base/keys-of.ts";
import type { AgentctlFacts } from "../state/agentctl.ts";
import { continuationOf } from "../state/continuation.ts";
import { placeOf } from "../state/place.ts";
import type { Execution } from "../state/execution.ts";
import type { State } from "../state/state.ts";

type Newest = Pick<Execution, "id" | "epoch">;

/**
 * The row of `executors_running` after a change: for the newest execution, and null where it says what it said before.
 * When an agent that runs was seen last, it says to ten seconds: not every word is worth a row.
 */
export const executorChange = (
  before: State | null,
  after: State,
  at: string,
): Executor | null => {
  const newest = newestOf(after);
  if (newest === null) return null;
  const row = executorOf(after, newest, at);
  if (before === null || newestOf(before)?.id !== newest.id) return row;
  const isSeen = after.execution === null || isRecent(before, at);
  return isSeen && isSame(executorOf(before, newest, at), row) ? null : row;
};

/** Times are ISO 8601: up to here they are the same for ten seconds. */
const TEN_SECONDS = "2026-01-01T00:00:0".length;

const isRecent = ({ times }: State, at: string): boolean =>
  times.last_active_at.startsWith(at.slice(0, TEN_SECONDS));

const isSame = (a: Executor, b: Executor): boolean =>
  keys.every((key) => a[key] === b[key]);

const keys = keysOf(Executor.shape);

/** Null before the first execution. */
export const executorIdIn = (state: State): string | null =>
  newestOf(state) === null ? null : executorIdOf(state.id);

const newestOf = ({
  execution,
  executions_so_far: { last_ended_id: id, epoch },
}: State): Newest | null => execution ?? (id === null ? null : { id, epoch });

const executorOf = (state: State, execution: Newest, at: string): Executor => {
  const address = addressOf(state);
  const { agentctl, agent, workspace } = state;
  return {
    id: executorIdOf(state.id),
    session_id: state.id,
    task_id: state.created.task_id,
    runtime: placeOf(state).kind,
    agentctl_url: address?.url ?? null,
    agentctl_port: address?.port ?? null,
    container_id: address?.container_id ?? null,
    pid: address?.pid ?? null,
    status: storedStatusOf(state),
    supports_session_resume:
      (agentctl?.supports_session_resume ?? true) &&
      canResumeNatively(agent.abilities),
    supports_workspace_only: agentctl?.supports_workspace_only ?? false,
    resume_token: agent.token,
    last_message_id: agent.last_message_id,
    workspace_path: workspace.cwd,
    worktree_id: workspace.worktree?.id ?? null,
    worktree_path: workspace.worktree?.path ?? null,
    worktree_branch: workspace.worktree?.branch ?? null,
    agent_execution_id: execution.id,
    last_seen_at: at,
    error_message:
      state.lifecycle.name === "ERROR" ? state.lifecycle.message : null,
    epoch: execution.epoch,
  };
};

/** What is found when somebody looks for an agentctl: it answers, none is there, it does not answer, or not yet. */
export type AgentctlHealth = "ready" | "stopped" | "error" | "starting";

/** `executor_status`: what the journal says of agentctl, held against what is there now. */
export const executorStatusOf = (
  state: State,
  health: AgentctlHealth,
): ExecutorStatus =>
  livingStatus(
    {
      status: storedStatusOf(state),
      agentctl_url: addressOf(state)?.url ?? null,
    },
    health,
  );

/** A row with what is known of the agentctl that serves its session now. */
export const livingExecutor = (
  row: Executor,
  health: AgentctlHealth,
  living: Pick<AgentctlFacts, "url" | "pid" | "port" | "container_id"> | null,
  at: string,
): Executor => {
  const status = livingStatus(row, health);
  const address = status === "ready" ? living : null;
  return {
    ...row,
    id: executorIdOf(row.session_id),
    status,
    agentctl_url: address?.url ?? null,
    agentctl_port: address?.port ?? null,
    container_id: address?.container_id ?? null,
    pid: address?.pid ?? null,
    last_seen_at: address === null ? row.last_seen_at : at,
  };
};

/** An agentctl that was reached for the session has an address until it is lost, and until the session ends. */
const livingStatus = (
  { status, agentctl_url }: Pick<Executor, "status" | "agentctl_url">,
  health: AgentctlHealth,
): ExecutorStatus => {
  if (agentctl_url !== null) return health;
  if (status === "error" && health === "ready") return "ready";
  return status === "starting" || status === "error" ? status : "stopped";
};

const addressOf = ({ lifecycle, agentctl }: State) =>
  isTerminal(lifecycle.name) || agentctl?.status !== "ready" ? null : agentctl;

/** What a row says without asking anybody. What will be brought back, captured or put back by itself counts as starting. */
const storedStatusOf = (state: State): ExecutorStatus => {
  if (state.execution !== null) return state.agentctl?.status ?? "starting";
  if (state.lifecycle.name === "STARTING")
    return state.agentctl?.status === "error" ? "error" : "starting";
  if (continuationOf(state) !== null) return "starting";
  const { due, rewinding } = state.checkpoints;
  if (due !== null || rewinding !== null) return "starting";
  return state.lifecycle.name === "ERROR" ? "error" : "stopped";
};
