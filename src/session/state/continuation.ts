/** Going on by itself with a turn that was cut short (`on_interrupt: continue`). */
import type { PromptId } from "../../contract/base/id.ts";
import { backoff } from "../../kit/time/backoff.ts";
import type { State, UnresolvedPrompt } from "./state.ts";

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

/** The turn to continue, or null. A turn that others followed is not continued. */
export const continuationOf = (state: State): Continuation | null => {
  const { on_interrupt } = state.created;
  const cut = newestCut(state);
  if (cut === null || on_interrupt !== "continue") return null;
  if (state.deleted_at !== null || state.budget.reached !== null) return null;
  if (!mayGoOn(state, cut) || isExhausted(state)) return null;
  const { continuations } = state.prompts;
  const pause_ms = backoff(continuations, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  return { prompt_id: cut.id, pause_ms, not_before: cut.not_before };
};

/** Who pauses a session stops what it does; what only waits for a quota goes on at its time (REC-36). */
const mayGoOn = (
  { lifecycle }: State,
  { not_before }: InterruptedPrompt,
): boolean =>
  lifecycle.name === "WAITING_FOR_INPUT" ||
  (lifecycle.name === "PAUSED" && not_before !== null);

/** It has been continued so often in a row that someone should look. */
export const isExhausted = (state: State): boolean =>
  state.created.on_interrupt === "continue" &&
  state.prompts.continuations >= MAX_IN_A_ROW &&
  newestCut(state) !== null;

/** What is true of a turn that the agent is asked to go on with, by whoever decides. */
export interface CutTurn {
  kind: UnresolvedPrompt["kind"];
  /** The event that holds its prompt, or the one that its prompt was to go on with. */
  about_seq: number;
  /** No other turn came after it, nor will one before the agent is asked. */
  isNewest: boolean;
  /** It was a turn of the agent that the session has now. */
  isOwn: boolean;
}

export const cutTurnOf = (
  { prompts: { unresolved, queue }, turns, agent }: State,
  prompt: PromptId,
): CutTurn | null => {
  const cut = unresolved.find(({ id }) => id === prompt);
  return cut === undefined
    ? null
    : {
        kind: cut.kind,
        about_seq: cut.about_seq,
        isNewest: cut.turn === turns.last && queue.length === 0,
        isOwn: cut.agent === agent.definition.agent,
      };
};

type InterruptedPrompt = Extract<UnresolvedPrompt, { kind: "interrupted" }>;

const newestCut = ({ prompts, turns }: State): InterruptedPrompt | null =>
  prompts.unresolved.findLast(
    (prompt): prompt is InterruptedPrompt =>
      prompt.kind === "interrupted" && prompt.turn === turns.last,
  ) ?? null;
