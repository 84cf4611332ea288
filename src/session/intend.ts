/**
 * What the world should be doing for a session right now, read off its state. Reactors do it and answer with commands.
 * Because it follows from the state alone, it is the same after a restart: nothing has to be remembered besides the journal.
 */
import {
  limitsOf,
  type PromptLimits,
} from "../contract/agent/prompt-limits.ts";
import type { AgentId } from "../contract/agent/agent.ts";
import type { CheckpointKind } from "../contract/session/checkpoint.ts";
import type { ContentBlock } from "../contract/base/content.ts";
import type {
  ExecutionId,
  PermissionId,
  PromptId,
} from "../contract/base/id.ts";
import { entriesOf } from "../kit/data/persistent-map.ts";
import { continuationOf } from "./state/continuation.ts";
import type { PendingChange } from "./state/changes.ts";
import { handOverOf } from "./state/quota/hand-over.ts";
import type { BeforeNext, State } from "./state/state.ts";
import { asTaken } from "./state/taken.ts";

interface OfExecution {
  execution_id: ExecutionId;
  epoch: number;
}

export type Intent =
  /** Obtain an agentctl, look at the world, begin an execution. */
  | { kind: "begin" }
  | ({ kind: "launch" } & OfExecution)
  | ({
      kind: "deliver";
      prompt_id: PromptId;
      content: readonly ContentBlock[];
      limits?: PromptLimits;
    } & BeforeNext &
      OfExecution)
  | ({ kind: "cancel"; turn: number } & OfExecution)
  | ({
      kind: "answer";
      permission_id: PermissionId;
      /** Null: the agent is told that there will be no answer. */
      option_id: string | null;
    } & OfExecution)
  /** Have the agent change its settings. */
  | ({ kind: "change"; pending: PendingChange } & OfExecution)
  | ({ kind: "stop" } & OfExecution)
  /** Capture the workspace and the agent's own session files. */
  | { kind: "checkpoint"; of: CheckpointKind; turn: number }
  /** Bring the workspace back to what it was. */
  | { kind: "rewind"; turn: number }
  /** Because of a quota, have another agent go on, with the prompt of the turn that was cut short where there is one. */
  | { kind: "hand_over"; to: AgentId; prompt_id: PromptId | null }
  /** Ask the agent to go on with a turn that was cut short, after a pause. */
  | { kind: "continue"; prompt_id: PromptId; pause_ms: number };

export const intend = (state: State): Intent[] => [
  ...workspaceIntents(state),
  ...agentIntents(state),
];

/** Nothing is captured or put back while processes of an execution that is being stopped may still write. */
const workspaceIntents = ({ checkpoints, execution }: State): Intent[] => {
  const { due, rewinding } = checkpoints;
  if (execution?.phase.kind === "stopping") return [];
  if (due !== null)
    return [{ kind: "checkpoint", of: due.kind, turn: due.turn }];
  return rewinding === null || execution !== null
    ? []
    : [{ kind: "rewind", turn: rewinding.turn }];
};

const agentIntents = (state: State): Intent[] => {
  const { execution, lifecycle } = state;
  if (execution === null && state.checkpoints.rewinding !== null) return [];
  if (execution === null)
    return lifecycle.name === "STARTING"
      ? [{ kind: "begin" }]
      : betweenTurns(state);
  const of = { execution_id: execution.id, epoch: execution.epoch };
  switch (execution.phase.kind) {
    case "starting":
      return [{ kind: "launch", ...of }];
    case "stopping":
      return [{ kind: "stop", ...of }];
    case "ready":
      return [
        ...changeIntents(state, of),
        ...turnIntents(state, of),
        ...answerIntents(state, of),
        ...betweenTurns(state),
      ];
  }
};

/** One after the other. They come before a prompt, so the agent reads them first. */
const changeIntents = ({ agent }: State, of: OfExecution): Intent[] =>
  agent.changes.pending
    .slice(0, 1)
    .map((pending) => ({ kind: "change", ...of, pending }));

const turnIntents = (
  { lifecycle, prompts, agent }: State,
  of: OfExecution,
): Intent[] => {
  if (lifecycle.name !== "RUNNING") return [];
  const { prompt_id, number, delivery, cancelling } = lifecycle.turn;
  if (delivery.kind === "pending") {
    const content = asTaken(agent.abilities, delivery.content);
    const { before_next } = prompts;
    return [
      {
        kind: "deliver",
        ...of,
        prompt_id,
        content,
        ...before_next,
        ...limitsOf(lifecycle.turn),
      },
    ];
  }
  return cancelling ? [{ kind: "cancel", ...of, turn: number }] : [];
};

/** However many wait, a few are handed over at a time: what is intended is looked at with every event. */
const ANSWERS_AT_A_TIME = 16;

const answerIntents = ({ permissions }: State, of: OfExecution): Intent[] =>
  [...entriesOf(permissions.answers).take(ANSWERS_AT_A_TIME)].map(
    ([, { id, option_id }]) => ({
      kind: "answer" as const,
      ...of,
      permission_id: id,
      option_id,
    }),
  );

const betweenTurns = (state: State): Intent[] => {
  const due = handOverOf(state);
  if (due === null) return continueIntents(state);
  const { to, prompt_id } = due;
  return [{ kind: "hand_over", to, prompt_id }];
};

/** What waits for a time is not pursued until then: it is found by its `due_at`. */
const continueIntents = (state: State): Intent[] => {
  const continuation = continuationOf(state);
  if (continuation === null || continuation.not_before !== null) return [];
  const { prompt_id, pause_ms } = continuation;
  return [{ kind: "continue", prompt_id, pause_ms }];
};

/** Two intents with the same key are the same intent: it is pursued once. */
export const keyOf = (intent: Intent): string => {
  switch (intent.kind) {
    case "begin":
      return "begin";
    case "launch":
    case "stop":
      return `${intent.kind} ${intent.epoch}`;
    case "deliver":
      return `deliver ${intent.epoch} ${intent.prompt_id}`;
    case "cancel":
      return `cancel ${intent.epoch} ${intent.turn}`;
    case "change":
      return `change ${intent.epoch} ${intent.pending.change}`;
    case "answer":
      return `answer ${intent.epoch} ${intent.permission_id}`;
    case "checkpoint":
      return `checkpoint ${intent.of} ${intent.turn}`;
    case "rewind":
      return `rewind ${intent.turn}`;
    case "hand_over":
      return `hand over to ${intent.to} ${intent.prompt_id ?? ""}`;
    case "continue":
      return `continue ${intent.prompt_id}`;
  }
};
