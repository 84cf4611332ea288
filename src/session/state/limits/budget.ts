/** What is left of the budget of a session. */
import {
  type Spent,
  type UsedUp,
  usedUp,
} from "../../../contract/base/budget.ts";
import { elapsedMs } from "../../../kit/time/elapsed.ts";
import type { BudgetState } from "./budget-state.ts";
import type { State } from "../state.ts";

/** The agent has a prompt, and waits for nobody. */
export const isWorking = ({ lifecycle, permissions }: State): boolean =>
  lifecycle.name === "RUNNING" &&
  lifecycle.turn.delivery.kind === "delivered" &&
  permissions.pending.length === 0;

const MINUTE_MS = 60_000;

/** What is spent, up to the newest event. */
export const spentOf = ({ budget }: State): Spent => spentWith(budget, 0);

/** What of the budget is used up at a time that is not before the newest event. */
export const usedUpAt = (state: State, at: string): UsedUp | null => {
  const { limits } = state.budget;
  if (limits === null) return null;
  const since = isWorking(state)
    ? Math.max(0, elapsedMs(state.times.newest_at, at))
    : 0;
  return usedUp(limits, spentWith(state.budget, since));
};

const spentWith = ({ spent }: BudgetState, more_ms: number): Spent => {
  const { worked_ms, ...others } = spent;
  return { ...others, minutes: (worked_ms + more_ms) / MINUTE_MS };
};
