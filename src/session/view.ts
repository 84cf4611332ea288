/** What callers see of a state: the session, its executor row and its prompts. All derived, in the append's transaction. */
import { textOf } from "../contract/content.ts";
import { canResumeNatively } from "../contract/agent.ts";
import type { Event } from "../contract/event.ts";
import type { Prompt, PromptChange } from "../contract/prompt.ts";
import type {
  Executor,
  ExecutorStatus,
  Session,
  SessionStatus,
} from "../contract/session.ts";
import type { StateName, StatusName } from "../contract/state.ts";
import { unreachable } from "../kit/unreachable.ts";
import { continuationOf } from "./continuation.ts";
import { resumability, type WorldReport } from "./resume.ts";
import { type Patience, troublesOf } from "./trouble.ts";
import type { State } from "./state.ts";

export const viewOf = (state: State): Session => ({
  id: state.id,
  task_id: state.task_id,
  name: state.name,
  agent: state.definition.agent,
  agent_profile_id: state.definition.agent,
  agent_execution_id: state.execution?.id ?? null,
  definition: state.definition,
  executor: state.executor,
  executor_id: state.execution?.id ?? null,
  state: state.lifecycle.name,
  status: statusOf(state),
  is_agent_running: isAgentRunning(state),
  cwd: state.cwd,
  worktree_id: state.worktree?.id ?? null,
  worktree_path: state.worktree?.path ?? null,
  worktree_branch: state.worktree?.branch ?? null,
  metadata: { resume_token: state.token },
  on_interrupt: state.on_interrupt,
  created_at: state.created_at,
  last_active_at: state.last_active_at,
  last_seq: state.seq,
  turn_count: state.turns_over,
  pending_permissions: state.permissions.filter(
    (each) => each.state === "pending",
  ),
  queued_prompts: queuedPrompts(state),
  unresolved_prompts: state.unresolved.map(({ id, turn, kind }) => ({
    id,
    session_id: state.id,
    turn,
    state: kind,
  })),
  usage: state.usage,
  error_message:
    state.lifecycle.name === "ERROR" ? state.lifecycle.message : null,
  parent: state.parent,
  resume: state.resume,
  last_words: state.last_words,
});

const queuedPrompts = (state: State): Prompt[] =>
  state.queue.map(({ id, turn, content }) => ({
    id,
    session_id: state.id,
    turn,
    state: "queued" as const,
    text: textOf(content),
  }));

/** The agent lives right now, as far as the journal knows. */
export const isAgentRunning = (state: State): boolean =>
  state.execution !== null && state.execution.phase.kind === "ready";

const statusOf = (state: State): StatusName => {
  const name: StateName = state.lifecycle.name;
  switch (name) {
    case "CREATED":
      return "creating";
    case "STARTING":
    case "RUNNING":
      return "active";
    case "WAITING_FOR_INPUT":
      return isAgentRunning(state) ? "active" : "paused";
    case "PAUSED":
      return "paused";
    case "ERROR":
      return "error";
    case "COMPLETED":
    case "CANCELLED":
    case "FAILED":
      return "ended";
    default:
      return unreachable(name);
  }
};

export const sessionStatusOf = (
  state: State,
  report: WorldReport,
  patience: Patience,
  at: string,
): SessionStatus => {
  const running = isAgentRunning(state) && report.agent !== "gone";
  const last_seen_at = state.execution === null ? null : state.last_active_at;
  const resume = resumability(state, { running, last_seen_at }, at);
  return {
    session_id: state.id,
    task_id: state.task_id,
    state: state.lifecycle.name,
    agent_profile_id: state.definition.agent,
    executor_status: executorStatusOf(state),
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

const executorStatusOf = (state: State): ExecutorStatus => {
  if (state.execution?.phase.kind === "ready") return "ready";
  if (state.lifecycle.name === "STARTING") return "starting";
  if (state.execution !== null) return "ready";
  return state.lifecycle.name === "ERROR" || state.agentctl?.status === "error"
    ? "error"
    : "stopped";
};

/** The row of `executors_running` for the newest execution. */
export const executorOf = (
  state: State,
  execution: NonNullable<State["execution"]>,
  at: string,
): Executor => ({
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

/** An agent that will be brought back by itself counts as starting, so that a restart finds it. */
const restingStatus = (state: State): ExecutorStatus => {
  if (state.lifecycle.name === "STARTING" || continuationOf(state) !== null)
    return "starting";
  return state.lifecycle.name === "ERROR" ? "error" : "stopped";
};

/** What these events change about prompts, in order. */
export const promptChanges = (
  events: readonly Event[],
  after: State,
): PromptChange[] => {
  const changes = events.flatMap(promptChange);
  const { lifecycle } = after;
  if (lifecycle.name === "RUNNING" && lifecycle.turn.began) {
    const { prompt_id: id, number: turn } = lifecycle.turn;
    const begins = events.some(
      (event) =>
        event.type === "session.prompt.delivered" ||
        (event.type === "session.message.added" &&
          event.data.message.role !== "user") ||
        event.type === "session.permission.requested",
    );
    if (begins) changes.push({ id, state: "running", turn });
  }
  return changes;
};

const promptChange = (event: Event): PromptChange[] => {
  switch (event.type) {
    case "session.prompt.queued":
      return [
        {
          id: event.data.prompt_id,
          state: "queued",
          turn: null,
          text: event.data.text,
        },
      ];
    case "session.turn.started":
    case "session.prompt.requeued":
      return [
        { id: event.data.prompt_id, state: "queued", turn: event.data.turn },
      ];
    case "session.prompt.delivered":
      return [
        { id: event.data.prompt_id, state: "delivered", turn: event.data.turn },
      ];
    case "session.turn.ended":
      return [
        { id: event.data.prompt_id, state: "done", turn: event.data.turn },
      ];
    case "session.turn.interrupted":
      return [
        {
          id: event.data.prompt_id,
          state: "interrupted",
          turn: event.data.turn,
        },
      ];
    case "session.prompt.uncertain":
      return [
        { id: event.data.prompt_id, state: "uncertain", turn: event.data.turn },
      ];
    case "session.prompt.cancelled":
      return [{ id: event.data.prompt_id, state: "cancelled", turn: null }];
    case "session.prompt.resolved":
      return event.data.action === "continue"
        ? []
        : [{ id: event.data.prompt_id, state: "cancelled", turn: null }];
    default:
      return [];
  }
};
