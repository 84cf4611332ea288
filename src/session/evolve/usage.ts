/** Tokens: sums and differences. */
import { contextOf, inputOf, type Usage } from "../../contract/base/usage.ts";
import type { EventDataOf } from "../../contract/event/event.ts";
import type { State } from "../state/state.ts";
import { inTurn } from "../state/turns.ts";

export const addUsage = (
  total: Usage | null,
  more: Usage | null,
): Usage | null => {
  if (more === null) return total;
  const cached = [total?.cached_tokens, more.cached_tokens];
  return {
    input_tokens: (total?.input_tokens ?? 0) + inputOf(more),
    output_tokens: (total?.output_tokens ?? 0) + more.output_tokens,
    total_tokens: (total?.total_tokens ?? 0) + more.total_tokens,
    ...(cached.some((each) => each !== undefined) && {
      cached_tokens: (cached[0] ?? 0) + (cached[1] ?? 0),
    }),
  };
};

/** What is new since an earlier count. An agent that began to count anew has no less than nothing. */
export const newUsage = (now: Usage, before: Usage): Usage => {
  const since = (later: number, earlier: number) =>
    Math.max(0, later - earlier);
  const input_tokens = since(now.input_tokens, before.input_tokens);
  const output_tokens = since(now.output_tokens, before.output_tokens);
  return {
    input_tokens,
    output_tokens,
    total_tokens: since(now.total_tokens, before.total_tokens),
    ...(now.cached_tokens !== undefined && {
      cached_tokens: since(now.cached_tokens, before.cached_tokens ?? 0),
    }),
  };
};

/** What the agent tells of its context window, and of its quota. */
export const withContext = (
  state: State,
  data: EventDataOf<"session.usage">,
): State => {
  const { limit } = data;
  const agent = { ...state.agent, context: contextOf(data) };
  const after = { ...state, agent };
  return limit === undefined
    ? after
    : inTurn(after, (turn) => ({ ...turn, resets_at: limit.resets_at }));
};

/** What a turn cost counts for the session, and for the execution it ran in. */
export const spend = (state: State, usage: Usage | null): State => {
  const { turns, execution } = state;
  return {
    ...state,
    turns: { ...turns, usage: addUsage(turns.usage, usage) },
    execution: execution && {
      ...execution,
      spent: addUsage(execution.spent, usage),
    },
  };
};
