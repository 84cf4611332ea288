/** What a task may spend over all its attempts, and what they have spent (TSK-60 to TSK-62). */
import {
  type Budget,
  BudgetKind,
  NOTHING_SPENT,
  type Spent,
  type UsedUp,
  usedUp,
} from "../contract/base/budget.ts";
import type { SessionId } from "../contract/base/id.ts";
import type { Attempt, State } from "./state.ts";

/** What its sessions have spent, as far as attempts have ended; without one of them, where that is said. */
export const spentOf = (
  { attempts }: State,
  without: SessionId | null = null,
): Spent => {
  const bySession = new Map<SessionId, Spent>();
  for (const { session_id, progress } of attempts)
    if (session_id !== null && progress.kind === "ended" && progress.spent)
      bySession.set(session_id, progress.spent);
  if (without !== null) bySession.delete(without);
  return [...bySession.values()].reduce(add, NOTHING_SPENT);
};

const add = (one: Spent, other: Spent): Spent => ({
  turns: one.turns + other.turns,
  minutes: one.minutes + other.minutes,
  tokens: sum(one.tokens, other.tokens),
  cost: sum(one.cost, other.cost),
});

const sum = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : one + other;

/** What of the task's budget is used up; null when there is something left of each, or no budget. */
export const usedUpBy = (state: State): UsedUp | null =>
  state.budget == null ? null : usedUp(state.budget, spentOf(state));

export const isSameBudget = (
  one: Budget | null,
  other: Budget | null,
): boolean => BudgetKind.options.every((what) => one?.[what] === other?.[what]);

/** The budget ended its turn, or kept its prompt waiting (TSK-61). */
export const isStoppedByBudget = ({ progress }: Attempt): boolean =>
  progress.kind === "ended" && progress.reason?.code === "budget_reached";

/** What a session of the task may spend in all: what the others have left of the budget. Null: whatever it takes. */
export const budgetFor = (
  state: State,
  session: SessionId | null,
): Budget | null => {
  const { budget } = state;
  if (budget == null) return null;
  const spent = spentOf(state, session);
  return Object.fromEntries(
    BudgetKind.options.flatMap((what) => {
      const { [what]: limit } = budget;
      return limit === undefined ? [] : [[what, limit - (spent[what] ?? 0)]];
    }),
  );
};
