/**
 * Whether the newest turn, where it was cut off, goes on without anybody's doing, and when. This is the one place that
 * decides it: clients read it in `unresolved_prompts`.
 */
import type { PromptId } from "../../contract/base/id.ts";
import { continuationOf, isHandedOn } from "../state/continuation.ts";
import { newestCut } from "../state/newest-cut.ts";
import { nextAgentAt } from "../state/quota/hand-over.ts";
import type { State } from "../state/state.ts";

export interface GoesOn {
  prompt_id: PromptId;
  /** Null: as soon as it can. */
  at: string | null;
}

export const goesOnOf = (state: State): GoesOn | null => {
  const cut = newestCut(state);
  if (cut === null || !isAlive(state)) return null;
  const { id: prompt_id } = cut;
  if (isHandedOn(state, cut)) {
    const next = nextAgentAt(state);
    return next === null ? null : { prompt_id, ...next };
  }
  const due = continuationOf(onceStarted(state));
  return due === null ? null : { prompt_id, at: due.not_before };
};

const isAlive = ({ deleted_at, budget, lifecycle: { name } }: State): boolean =>
  deleted_at === null &&
  budget.reached === null &&
  (name === "WAITING_FOR_INPUT" || name === "PAUSED" || name === "STARTING");

/** An agent that is being started goes on with the turn when it is ready, before the prompts that wait (REC-104). */
const onceStarted = (state: State): State =>
  state.lifecycle.name === "STARTING"
    ? { ...state, lifecycle: { name: "WAITING_FOR_INPUT" } }
    : state;
