/** A turn starts, goes on and ends, or is cut off. */
import type { Ending } from "../../contract/session/ending.ts";
import type { EventDataOf, EventOf } from "../../contract/event/event.ts";
import { emptyMap } from "../../kit/data/persistent-map.ts";
import { limitsOf } from "../../contract/agent/prompt-limits.ts";
import { credentialsLabel } from "../state/credentials-label.ts";
import { lookedAtAgain } from "../state/quota/quotas.ts";
import type {
  Cut,
  Delivery,
  DueCheckpoint,
  PendingDelivery,
  QueuedPrompt,
  State,
  Turn,
  UnresolvedPrompt,
} from "../state/state.ts";
import { promptOf } from "../line/entry.ts";
import { noToolCalls } from "../state/tool-calls.ts";
import { inTurn, runningTurn } from "../state/turns.ts";

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
        tool_calls: queued?.tool_calls ?? 0,
        ...credentialsLabel(queued),
        ...limitsOf(queued),
      },
    },
    turns: { ...turns, last: Math.max(turns.last, number) },
    agent: { ...state.agent, last_message_id: null },
    quotas: lookedAtAgain(state.quotas),
    prompts: {
      ...prompts,
      queue: prompts.queue.filter((p) => p.id !== prompt_id),
    },
    checkpoints: {
      ...state.checkpoints,
      found: foundIn(state.checkpoints),
      secured_at: state.times.last_active_at,
    },
    output: { ...state.output, open_message: null },
  };
};

/** The workspace was looked at right before the turn, and is as the newest checkpoint has it. */
const foundIn = ({ newest, failure }: State["checkpoints"]): string | null =>
  failure === null ? (newest?.tree ?? null) : null;

/** Of a prompt that was not queued, as in a file from elsewhere, there is nothing to hand over. */
const deliveryOf = (queued: QueuedPrompt | undefined): Delivery =>
  queued === undefined
    ? { kind: "delivered" }
    : {
        kind: "pending",
        content: queued.content,
        history_recorded: false,
        prepared: null,
      };

/** Changes what the agent is to get; does nothing where the agent has it already. */
export const inDelivery = (
  state: State,
  change: Partial<Pick<PendingDelivery, "history_recorded" | "prepared">>,
): State =>
  inTurn(state, (turn) =>
    turn.delivery.kind === "pending"
      ? { ...turn, delivery: { ...turn.delivery, ...change } }
      : turn,
  );

export const cancelling = (
  state: State,
  { at: since, data: { limit } }: EventOf<"session.turn.cancel_requested">,
): State =>
  inTurn(state, (turn) => ({
    ...turn,
    cancelling: true,
    ...(limit !== undefined && { beyond: { limit, since } }),
  }));

/** The agent makes another tool call. */
export const withToolCall = (state: State): State =>
  inTurn(state, (turn) => ({ ...turn, tool_calls: turn.tool_calls + 1 }));

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

type CutEvent = EventDataOf<
  "session.turn.interrupted" | "session.prompt.uncertain"
>;

export const leaveTurn = (
  state: State,
  { prompt_id, turn, reason, code }: CutEvent,
  cut: Cut,
): State => {
  const running = runningTurn(state);
  const left: UnresolvedPrompt = {
    ...cut,
    id: prompt_id,
    turn,
    text: promptOf(state.line, turn),
    why: { code: code ?? null, reason, ending: null },
    content_seq: running?.content_seq ?? 0,
    about_seq: running?.about_seq ?? 0,
    agent: state.agent.definition.agent,
    tool_calls: running?.tool_calls ?? 0,
    ...credentialsLabel(running),
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

/** The end of an execution tells how the agent ended, right behind the turn that it cut off. */
export const withEnding = (
  { line, prompts }: Pick<State, "line" | "prompts">,
  ending: Ending,
): State["prompts"] => {
  const turn = line.execution?.cut ?? null;
  return turn === null
    ? prompts
    : {
        ...prompts,
        unresolved: prompts.unresolved.map((each) =>
          each.turn === turn ? { ...each, why: { ...each.why, ending } } : each,
        ),
      };
};
