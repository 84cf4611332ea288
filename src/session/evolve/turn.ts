/** Small steps that `evolve` is made of. */
import type { Event, EventOf } from "../../contract/event/event.ts";
import type { ResumeTrigger } from "../../contract/agent/resume.ts";
import type { StateName } from "../../contract/session/state.ts";
import { emptyMap } from "../../kit/data/persistent-map.ts";
import { unreachable } from "../../kit/unreachable.ts";
import type { Execution } from "../state/execution.ts";
import type {
  Cut,
  Delivery,
  DueCheckpoint,
  Lifecycle,
  PendingDelivery,
  QueuedPrompt,
  State,
  Turn,
  UnresolvedPrompt,
} from "../state/state.ts";
import { noToolCalls } from "../state/tool-calls.ts";

const LAST_WORDS = 160;

export const active = (state: State, event: Event): State => ({
  ...state,
  times: { ...state.times, last_active_at: event.at },
});

export const enter = (
  from: Lifecycle,
  to: StateName,
  event: EventOf<"session.state_changed">,
): Lifecycle => {
  // The events that carry a state's own data come first and have entered it already.
  if (from.name === to) return from;
  switch (to) {
    case "ERROR": {
      const { message, restriction, code } = event.data;
      return {
        name: "ERROR",
        message: message ?? "",
        ...(restriction !== undefined && { restriction }),
        ...(code !== undefined && { code }),
      };
    }
    case "STARTING":
    case "RUNNING":
      throw new Error(`${to} is entered by the event that carries its data`);
    case "CREATED":
    case "WAITING_FOR_INPUT":
    case "PAUSED":
    case "COMPLETED":
    case "CANCELLED":
    case "FAILED":
      return { name: to };
    default:
      return unreachable(to);
  }
};

/** Someone needs the agent while it is being stopped. */
export const askAgain = (state: State, trigger: ResumeTrigger): State => {
  const phase = state.execution?.phase;
  return phase?.kind === "stopping"
    ? inPhase(state, { ...phase, again: trigger })
    : state;
};

export const inPhase = (state: State, phase: Execution["phase"]): State =>
  state.execution === null
    ? state
    : { ...state, execution: { ...state.execution, phase } };

export const inTurn = (state: State, change: (turn: Turn) => Turn): State =>
  state.lifecycle.name === "RUNNING"
    ? {
        ...state,
        lifecycle: { name: "RUNNING", turn: change(state.lifecycle.turn) },
      }
    : state;

export const begun = (state: State): State =>
  state.lifecycle.name === "RUNNING" && !state.lifecycle.turn.began
    ? inTurn(state, (turn) => ({ ...turn, began: true }))
    : state;

export const startTurn = (
  state: State,
  number: number,
  prompt_id: Turn["prompt_id"],
): State => {
  const { prompts, turns } = state;
  const queued = prompts.queue.find((p) => p.id === prompt_id);
  return {
    ...state,
    lifecycle: {
      name: "RUNNING",
      turn: {
        number,
        prompt_id,
        content_seq: queued?.content_seq ?? 0,
        about_seq: queued?.about_seq ?? 0,
        returned: queued?.returned ?? 0,
        delivery: deliveryOf(queued),
        began: false,
        cancelling: false,
        resets_at: null,
        ...labelOf(queued),
      },
    },
    turns: { ...turns, last: Math.max(turns.last, number) },
    agent: { ...state.agent, last_message_id: null },
    prompts: {
      ...prompts,
      queue: prompts.queue.filter((p) => p.id !== prompt_id),
    },
    checkpoints: {
      ...state.checkpoints,
      secured_at: state.times.last_active_at,
    },
    output: { ...state.output, open_message: null },
  };
};

/** Of a prompt that was not queued, as in a file from elsewhere, there is nothing to hand over. */
const deliveryOf = (queued: QueuedPrompt | undefined): Delivery =>
  queued === undefined
    ? { kind: "delivered" }
    : {
        kind: "pending",
        content: queued.content,
        told: false,
        prepared: null,
      };

/** Changes what is to be handed over; nothing where the agent has it. */
export const inDelivery = (
  state: State,
  change: Partial<Pick<PendingDelivery, "told" | "prepared">>,
): State =>
  inTurn(state, (turn) =>
    turn.delivery.kind === "pending"
      ? { ...turn, delivery: { ...turn.delivery, ...change } }
      : turn,
  );

export const overTurn = (state: State): State => {
  const { turns, checkpoints } = state;
  const due: DueCheckpoint | null = checkpoints.enabled
    ? { kind: "turn", turn: turns.last }
    : checkpoints.due;
  return {
    ...state,
    lifecycle: { name: "WAITING_FOR_INPUT" },
    turns: { ...turns, over: turns.over + 1 },
    checkpoints: { ...checkpoints, due },
    permissions: { ...state.permissions, answers: emptyMap },
    output: { ...state.output, tools: noToolCalls, open_message: null },
  };
};

/** Of the turns that were cut off, and of the prompts that wait for a decision, the newest count. */
const MAX_CUT = 1000;
const MAX_UNRESOLVED = 100;

export const leaveTurn = (
  state: State,
  { prompt_id, turn }: { prompt_id: Turn["prompt_id"]; turn: number },
  cut: Cut,
): State => {
  const running = turnIn(state);
  const left: UnresolvedPrompt = {
    ...cut,
    id: prompt_id,
    turn,
    content_seq: running?.content_seq ?? 0,
    about_seq: running?.about_seq ?? 0,
    agent: state.agent.definition.agent,
    ...labelOf(running),
  };
  const over = overTurn(state);
  const { turns, prompts } = over;
  return {
    ...over,
    turns: { ...turns, cut: [...turns.cut, turn].slice(-MAX_CUT) },
    prompts: {
      ...prompts,
      unresolved: [...prompts.unresolved, left].slice(-MAX_UNRESOLVED),
    },
  };
};

export const turnIn = ({ lifecycle }: State): Turn | undefined =>
  lifecycle.name === "RUNNING" ? lifecycle.turn : undefined;

/** The label of credentials, where there is one. */
export const labelOf = (
  labelled: { credentials?: string | undefined } | undefined,
): { credentials?: string } =>
  labelled?.credentials === undefined
    ? {}
    : { credentials: labelled.credentials };

export const tail = (text: string): string => text.slice(-LAST_WORDS);
