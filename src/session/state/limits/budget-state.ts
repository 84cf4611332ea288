/** What a session may spend, and what it has spent. */
import type { Budget, Spent, UsedUp } from "../../../contract/base/budget.ts";

export interface BudgetState {
  /** Null: whatever it takes. */
  limits: Budget | null;
  spent: Omit<Spent, "minutes"> & {
    /** How long its agents worked, up to the newest event. */
    worked_ms: number;
  };
  /** The total that the agent told last of its own session: what it tells next is more of the same. */
  told_cost: number | null;
  reached: Reached | null;
}

export interface Reached extends UsedUp {
  at: string;
  /** The event that said so: tool calls with a later one began after it. */
  seq: number;
  /** Since when the turn in progress has made another tool call; null: it has not. */
  another_since: string | null;
}

export const wholeBudget = (limits: Budget | null): BudgetState => ({
  limits,
  spent: { turns: 0, tokens: null, cost: null, worked_ms: 0 },
  told_cost: null,
  reached: null,
});
