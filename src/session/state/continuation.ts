/** Going on by itself with a turn that was cut short (`on_interrupt` and `on_quota`). */
import { agentsOf } from "../../contract/agent/on-quota.ts";
import type { PromptId } from "../../contract/base/id.ts";
import { backoff } from "../../kit/time/backoff.ts";
import { isOwnQuotaFilled, onQuotaOf } from "./quota/hand-over.ts";
import { type InterruptedPrompt, newestCut } from "./newest-cut.ts";
import type { State } from "./state.ts";

/** At most this often in a row: an agent that dies on its task will die on it again. */
const MAX_IN_A_ROW = 5;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

export interface Continuation {
  prompt_id: PromptId;
  pause_ms: number;
  /** And not before this time. */
  not_before: string | null;
}

/** The turn to continue, or null. A turn that others followed is not continued; prompts that wait come after it (REC-104). */
export const continuationOf = (state: State): Continuation | null => {
  const cut = newestCut(state);
  if (cut === null || state.deleted_at !== null) return null;
  if (state.budget.reached !== null || !isContinued(state, cut)) return null;
  if (!mayGoOn(state, cut) || isExhausted(state)) return null;
  const { id: prompt_id } = cut;
  // What waits for a quota that is filled again, here or elsewhere, goes on at once.
  if (isHandedOn(state, cut))
    return { prompt_id, pause_ms: 0, not_before: null };
  const { continuations } = state.prompts;
  const pause_ms = backoff(continuations, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  return { prompt_id, pause_ms, not_before: cut.not_before };
};

/** What cut the turn off decides what is done about it: `on_quota` for a quota, `on_interrupt` for anything else. */
const isContinued = (state: State, cut: InterruptedPrompt): boolean => {
  if (!cut.by_quota) return state.created.on_interrupt === "continue";
  return isHandedOn(state, cut)
    ? isOwnQuotaFilled(state)
    : onQuotaOf(state) === "continue";
};

/** Other agents may stand in for this one. */
export const isHandedOn = (
  state: Pick<State, "created">,
  { by_quota }: InterruptedPrompt,
): boolean => by_quota && agentsOf(onQuotaOf(state)) !== null;

/** Who pauses a session stops what it does; what only waits for a quota goes on at its time (REC-36). */
const mayGoOn = (state: State, cut: InterruptedPrompt): boolean => {
  const { name } = state.lifecycle;
  if (name === "PAUSED" || (name === "WAITING_FOR_INPUT" && isPausing(state)))
    return cut.not_before !== null || isHandedOn(state, cut);
  return name === "WAITING_FOR_INPUT";
};

const isPausing = ({ execution }: State): boolean =>
  execution?.phase.kind === "stopping" &&
  (execution.phase.reason === "paused" || execution.phase.reason === "idle");

/** It has been continued so often in a row that someone should look. */
export const isExhausted = (state: State): boolean => {
  const cut = newestCut(state);
  return (
    cut !== null &&
    isContinued(state, cut) &&
    !isHandedOn(state, cut) &&
    state.prompts.continuations >= MAX_IN_A_ROW
  );
};
