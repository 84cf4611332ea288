/** What callers see of a state. */
import type { Checkpoint } from "../../contract/session/checkpoint.ts";
import { textOf } from "../../contract/base/content.ts";
import { withHidden } from "../../contract/agent/mcp-secret.ts";
import { limitsOf } from "../../contract/agent/prompt-limits.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import type { Prompt } from "../../contract/session/prompt.ts";
import type { Restriction } from "../../contract/agent/restriction.ts";
import type { Session } from "../../contract/session/session.ts";
import type { StateName, StatusName } from "../../contract/session/state.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { spentOf } from "../state/limits/budget.ts";
import { appliedOf } from "../state/applied.ts";
import { executorIdIn } from "./executor-row.ts";
import { onQuotaOf } from "../state/quota/hand-over.ts";
import { placeOf } from "../state/place.ts";
import type { QueuedPrompt, State } from "../state/state.ts";
import { tailOf } from "../line/tail.ts";
import { goesOnOf } from "./goes-on.ts";
import { quotaOf } from "./quota.ts";

export const viewOf = (state: State): Session => ({
  ...viewBesides(state),
  definition: withHidden(state.agent.definition),
  queued_prompts: state.prompts.queue.map((prompt) =>
    queuedPromptOf(state.id, prompt, textOf(prompt.content)),
  ),
  pending_permissions: pendingPermissionsOf(state),
  unresolved_prompts: unresolvedPromptsOf(state),
  error_message: errorMessageOf(state),
  restriction: restrictionOf(state),
  applied: appliedOf(state.agent.applied, state.agent.definition),
  offered: state.agent.offered,
});

/** What can be long. */
type LongField =
  | "definition"
  | "queued_prompts"
  | "pending_permissions"
  | "unresolved_prompts"
  | "error_message"
  | "restriction"
  | "applied"
  | "offered";

/** Everything besides that. */
export const viewBesides = (state: State): Omit<Session, LongField> => {
  const { created, times, workspace, agent, turns, checkpoints } = state;
  const place = placeOf(state);
  return {
    id: state.id,
    task_id: created.task_id,
    name: created.name,
    agent: agent.definition.agent,
    agent_profile_id: agent.definition.profile ?? agent.definition.agent,
    agent_execution_id: state.execution?.id ?? null,
    executor: place.kind,
    place,
    executor_id: executorIdIn(state),
    state: state.lifecycle.name,
    status: statusOf(state),
    is_agent_running: isAgentRunning(state),
    cwd: workspace.cwd,
    worktree_id: workspace.worktree?.id ?? null,
    worktree_path: workspace.worktree?.path ?? null,
    worktree_branch: workspace.worktree?.branch ?? null,
    metadata: {
      resume_token: agent.token,
      last_message_id: agent.last_message_id,
    },
    on_interrupt: created.on_interrupt,
    on_quota: onQuotaOf(state),
    quota: quotaOf(state),
    created_at: created.at,
    last_active_at: times.last_active_at,
    last_wish_at: times.last_wish_at,
    last_seq: state.seq,
    turn_count: turns.over,
    turns_left_behind: turns.left_behind,
    usage: turns.usage,
    cost: state.budget.spent.cost,
    changed_lines: turns.changed.total,
    context: agent.context,
    at_next_start: [...agent.changes.at_next_start],
    budget: budgetOf(state),
    error_code: errorCodeOf(state),
    parent: created.parent,
    called_by: created.called_by,
    resume: agent.resume,
    first_prompt: state.output.first_prompt,
    last_words: state.output.last_words,
    checkpoints: checkpoints.enabled,
    checkpoint: checkpoints.newest && shownCheckpoint(checkpoints.newest),
    deleted_at: state.deleted_at,
    damaged_from: null,
    line_tail: tailOf(state.line),
  };
};

const budgetOf = (state: State): Session["budget"] => {
  const { limits, reached } = state.budget;
  if (limits === null) return null;
  const { minutes, ...spent } = spentOf(state);
  return {
    limits,
    spent: { ...spent, minutes: Math.round(minutes * 100) / 100 },
    reached: reached?.what ?? null,
  };
};

const shownCheckpoint = ({
  id,
  turn,
  kind,
  outcome,
  at,
}: Checkpoint): Session["checkpoint"] => ({ id, turn, kind, outcome, at });

export const queuedPromptOf = (
  session_id: SessionId,
  { id, turn, limits }: QueuedPrompt,
  text: string,
): Prompt => ({
  id,
  session_id,
  turn,
  state: "queued",
  text,
  ...limitsOf({ limits }),
});

export const pendingPermissionsOf = ({ permissions }: State): Permission[] =>
  permissions.pending.filter((each) => each.state === "pending");

export const unresolvedPromptsOf = (
  state: State,
): Session["unresolved_prompts"] => {
  const goesOn = goesOnOf(state);
  return state.prompts.unresolved.map(({ id, turn, kind, text, why }) => ({
    id,
    session_id: state.id,
    turn,
    state: kind,
    goes_on: goesOn?.prompt_id === id ? { at: goesOn.at } : null,
    text,
    why,
  }));
};

export const errorMessageOf = ({ lifecycle }: State): string | null =>
  lifecycle.name === "ERROR" ? lifecycle.message : null;

export const restrictionOf = ({ lifecycle }: State): Restriction | null =>
  lifecycle.name === "ERROR" ? (lifecycle.restriction ?? null) : null;

const errorCodeOf = (state: State): Session["error_code"] => {
  const { lifecycle } = state;
  if (lifecycle.name !== "ERROR") return null;
  if (restrictionOf(state) !== null) return "restriction_not_held";
  const { code, failure } = lifecycle;
  if (failure === "sandbox_unavailable") return failure;
  return code === "agent_not_installed" || code === "agentctl_unavailable"
    ? code
    : null;
};

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
