/** Going on by itself with a turn that was cut short (`on_interrupt: continue`). */
import type { PromptId } from "../contract/id.ts";
import { backoff } from "../kit/backoff.ts";
import type { State, UnresolvedPrompt } from "./state.ts";

/** At most this often in a row: an agent that dies on its task will die on it again. */
const MOST_IN_A_ROW = 5;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

export interface Continuation {
  prompt_id: PromptId;
  pause_ms: number;
  /** And not before this time. */
  not_before: string | null;
}

/** What is to be continued, or null. A turn that others followed is history. */
export const continuationOf = (state: State): Continuation | null => {
  const { lifecycle, on_interrupt, continuations } = state;
  const cut = newestCut(state);
  if (cut === null || on_interrupt !== "continue") return null;
  if (state.deleted_at !== null) return null;
  if (lifecycle.name !== "WAITING_FOR_INPUT" || isExhausted(state)) return null;
  const pause_ms = backoff(continuations, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  return { prompt_id: cut.id, pause_ms, not_before: cut.not_before };
};

/** It has been continued so often in a row that someone should look. */
export const isExhausted = (state: State): boolean =>
  state.on_interrupt === "continue" &&
  state.continuations >= MOST_IN_A_ROW &&
  newestCut(state) !== null;

const newestCut = ({ unresolved, last_turn }: State): UnresolvedPrompt | null =>
  unresolved.findLast(
    ({ kind, turn }) => kind === "interrupted" && turn === last_turn,
  ) ?? null;
