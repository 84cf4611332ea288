/** What callers see of a state. */
import { textOf } from "../../contract/content.ts";
import { withHidden } from "../../contract/mcp-secret.ts";
import type { SessionId } from "../../contract/id.ts";
import type { Permission } from "../../contract/permission.ts";
import type { Prompt } from "../../contract/prompt.ts";
import type { Restriction } from "../../contract/restriction.ts";
import type { Session } from "../../contract/session.ts";
import type { StateName, StatusName } from "../../contract/state.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { appliedOf } from "../state/applied.ts";
import { executorIdIn } from "./executor-row.ts";
import { turnsLeftBehind } from "../state/history.ts";
import { placeOf } from "../state/place.ts";
import type { QueuedPrompt, State } from "../state/state.ts";

export const viewOf = (state: State): Session => ({
  ...viewBesides(state),
  definition: withHidden(state.definition),
  queued_prompts: state.queue.map((prompt) =>
    queuedPromptOf(state.id, prompt, textOf(prompt.content)),
  ),
  pending_permissions: pendingPermissionsOf(state),
  unresolved_prompts: unresolvedPromptsOf(state),
  error_message: errorMessageOf(state),
  restriction: restrictionOf(state),
  applied: appliedOf(state.applied, state.definition),
});

/** What can be long. */
type LongField =
  | "definition"
  | "queued_prompts"
  | "pending_permissions"
  | "unresolved_prompts"
  | "error_message"
  | "restriction"
  | "applied";

/** Everything besides that. */
export const viewBesides = (state: State): Omit<Session, LongField> => ({
  id: state.id,
  task_id: state.task_id,
  name: state.name,
  agent: state.definition.agent,
  agent_profile_id: state.definition.agent,
  agent_execution_id: state.execution?.id ?? null,
  executor: placeOf(state).kind,
  place: placeOf(state),
  executor_id: executorIdIn(state),
  state: state.lifecycle.name,
  status: statusOf(state),
  is_agent_running: isAgentRunning(state),
  cwd: state.cwd,
  worktree_id: state.worktree?.id ?? null,
  worktree_path: state.worktree?.path ?? null,
  worktree_branch: state.worktree?.branch ?? null,
  metadata: {
    resume_token: state.token,
    last_message_id: state.last_message_id,
  },
  on_interrupt: state.on_interrupt,
  created_at: state.created_at,
  last_active_at: state.last_active_at,
  last_wish_at: state.last_wish_at,
  last_seq: state.seq,
  turn_count: state.turns_over,
  turns_left_behind: turnsLeftBehind(state),
  usage: state.usage,
  context: state.context,
  error_code: errorCodeOf(state),
  parent: state.parent,
  resume: state.resume,
  last_words: state.last_words,
  checkpoints: state.checkpoints,
  checkpoint:
    state.checkpoint === null
      ? null
      : {
          id: state.checkpoint.id,
          turn: state.checkpoint.turn,
          kind: state.checkpoint.kind,
          outcome: state.checkpoint.outcome,
          at: state.checkpoint.at,
        },
  deleted_at: state.deleted_at,
  damaged_from: null,
});

export const queuedPromptOf = (
  session_id: SessionId,
  { id, turn }: QueuedPrompt,
  text: string,
): Prompt => ({ id, session_id, turn, state: "queued", text });

export const pendingPermissionsOf = ({ permissions }: State): Permission[] =>
  permissions.filter((each) => each.state === "pending");

export const unresolvedPromptsOf = ({
  id: session_id,
  unresolved,
}: State): Session["unresolved_prompts"] =>
  unresolved.map(({ id, turn, kind }) => ({
    id,
    session_id,
    turn,
    state: kind,
  }));

export const errorMessageOf = ({ lifecycle }: State): string | null =>
  lifecycle.name === "ERROR" ? lifecycle.message : null;

export const restrictionOf = ({ lifecycle }: State): Restriction | null =>
  lifecycle.name === "ERROR" ? (lifecycle.restriction ?? null) : null;

const errorCodeOf = (state: State): Session["error_code"] => {
  const { lifecycle } = state;
  if (lifecycle.name !== "ERROR") return null;
  if (restrictionOf(state) !== null) return "restriction_not_held";
  const { code } = lifecycle;
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
