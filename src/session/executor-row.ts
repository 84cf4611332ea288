import { canResumeNatively } from "../contract/agent.ts";
import { Executor, type ExecutorStatus } from "../contract/session.ts";
import { keysOf } from "../contract/keys-of.ts";
import { continuationOf } from "./continuation.ts";
import type { Execution, State } from "./state.ts";

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

const isRecent = ({ last_active_at }: State, at: string): boolean =>
  last_active_at.startsWith(at.slice(0, TEN_SECONDS));

const isSame = (a: Executor, b: Executor): boolean =>
  keys.every((key) => a[key] === b[key]);

const keys = keysOf(Executor.shape);

const newestOf = ({
  execution,
  last_execution_id: id,
  epoch,
}: State): Newest | null => execution ?? (id === null ? null : { id, epoch });

const executorOf = (state: State, execution: Newest, at: string): Executor => ({
  id: execution.id,
  session_id: state.id,
  task_id: state.task_id,
  runtime: state.executor,
  agentctl_url: state.agentctl?.url ?? null,
  agentctl_port: null,
  container_id: null,
  pid: state.agentctl?.pid ?? null,
  status:
    state.execution === null ? restingStatus(state) : executorStatusOf(state),
  supports_session_resume: canResumeNatively(state.abilities),
  supports_workspace_only: true,
  resume_token: state.token,
  last_message_id: null,
  workspace_path: state.cwd,
  worktree_id: state.worktree?.id ?? null,
  worktree_path: state.worktree?.path ?? null,
  worktree_branch: state.worktree?.branch ?? null,
  agent_execution_id: execution.id,
  last_seen_at: at,
  error_message:
    state.lifecycle.name === "ERROR" ? state.lifecycle.message : null,
  epoch: execution.epoch,
});

/** What will be brought back, captured or put back by itself counts as starting, so that a restart finds it. */
const restingStatus = (state: State): ExecutorStatus => {
  if (state.lifecycle.name === "STARTING" || continuationOf(state) !== null)
    return "starting";
  if (state.due !== null || state.rewinding !== null) return "starting";
  return state.lifecycle.name === "ERROR" ? "error" : "stopped";
};

export const executorStatusOf = (state: State): ExecutorStatus => {
  if (state.execution?.phase.kind === "ready") return "ready";
  if (state.lifecycle.name === "STARTING") return "starting";
  if (state.execution !== null) return "ready";
  return state.lifecycle.name === "ERROR" || state.agentctl?.status === "error"
    ? "error"
    : "stopped";
};
