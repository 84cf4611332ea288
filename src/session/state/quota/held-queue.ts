/**
 * What keeps prompts waiting: a turn that was cut off goes on before them, whatever cut it off (REC-104), or a quota (`on_quota`):
 *
 *   handoff          the session is to change hands
 *   wait, continue   the quota of the session's agent is known to be used up
 */
import { agentsOf } from "../../../contract/agent/on-quota.ts";
import { continuationOf } from "../continuation.ts";
import type { State } from "../state.ts";
import { isHeldForQuota, onQuotaOf } from "./hand-over.ts";
import { untilOf } from "./quotas.ts";

export const isQueueHeld = (state: State): boolean =>
  isHeldForQuota(state) ||
  usedUpUntil(state) !== null ||
  continuationOf(state) !== null;

/** Until when no turn begins, because the agent has nobody to stand in for it; null where that is no reason. */
export const usedUpUntil = (state: State): string | null =>
  agentsOf(onQuotaOf(state)) === null
    ? untilOf(state.quotas, state.agent.definition.agent)
    : null;

/** When the session looks at prompts that wait for the quota; null where it does not have to. */
export const queueDueAt = (state: State): string | null =>
  // An agent that is being started looks by itself when it is ready.
  state.lifecycle.name === "STARTING" ? null : promptsWaitUntil(state);

/** When prompts that wait for the quota begin by themselves; null where none do. A session that somebody paused stays paused. */
export const promptsWaitUntil = (state: State): string | null => {
  const { lifecycle, prompts, budget, deleted_at } = state;
  const beginsByItself =
    lifecycle.name === "WAITING_FOR_INPUT" ||
    lifecycle.name === "STARTING" ||
    (lifecycle.name === "PAUSED" && lifecycle.idle === true);
  return beginsByItself &&
    prompts.queue.length > 0 &&
    budget.reached === null &&
    deleted_at === null
    ? usedUpUntil(state)
    : null;
};
