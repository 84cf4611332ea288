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
  /** How many tool calls the turn in progress had made by then. */
  tool_calls: number;
}

export const wholeBudget = (limits: Budget | null): BudgetState => ({
  limits,
  spent: { turns: 0, tokens: null, cost: null, worked_ms: 0 },
  told_cost: null,
  reached: null,
});
