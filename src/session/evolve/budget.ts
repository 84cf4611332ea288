/** What each event adds to what a session has spent. */
import type { Event } from "../../contract/event/event.ts";
import type { Usage } from "../../contract/base/usage.ts";
import { elapsedMs } from "../../kit/time/elapsed.ts";
import { isWorking } from "../state/limits/budget.ts";
import type { BudgetState } from "../state/limits/budget-state.ts";
import type { State } from "../state/state.ts";

/** The time from one event to the next counts while the agent works. */
export const spending = (before: State, event: Event): BudgetState => {
  const { budget } = before;
  const ms = isWorking(before)
    ? Math.max(0, elapsedMs(before.times.newest_at, event.at))
    : 0;
  return changed(ms === 0 ? budget : worked(budget, ms), event);
};

const worked = (budget: BudgetState, ms: number): BudgetState => {
  const { spent } = budget;
  return { ...budget, spent: { ...spent, worked_ms: spent.worked_ms + ms } };
};

const changed = (budget: BudgetState, event: Event): BudgetState => {
  switch (event.type) {
    case "session.turn.ended":
      return withTurn(budget, event.data.usage);
    case "session.turn.interrupted":
    case "session.prompt.uncertain":
      return withTurn(budget, null);
    case "session.usage":
      return withCost(budget, event.data.cost);
    case "session.agent.ready":
      return event.data.opened === "new"
        ? { ...budget, told_cost: null }
        : budget;
    case "session.budget.changed":
      return { ...budget, limits: event.data.budget, reached: null };
    case "session.budget.reached":
      return {
        ...budget,
        reached: {
          ...event.data,
          at: event.at,
          seq: event.seq,
          another_since: null,
        },
      };
    case "session.message.added":
      return event.data.message.tool === undefined
        ? budget
        : withAnotherCall(budget, event.at);
    default:
      return budget;
  }
};

const withAnotherCall = (budget: BudgetState, at: string): BudgetState => {
  const { reached } = budget;
  return reached === null || reached.another_since !== null
    ? budget
    : { ...budget, reached: { ...reached, another_since: at } };
};

const withTurn = (budget: BudgetState, usage: Usage | null): BudgetState => {
  const { turns, tokens } = budget.spent;
  const spent = {
    ...budget.spent,
    turns: turns + 1,
    tokens: usage === null ? tokens : (tokens ?? 0) + usage.total_tokens,
  };
  return { ...budget, spent };
};

/** Agents tell the cost of their whole session. One that tells less than before has begun to count anew. */
const withCost = (
  budget: BudgetState,
  told: number | undefined,
): BudgetState => {
  if (told === undefined) return budget;
  const { told_cost, spent } = budget;
  const more = told_cost === null || told < told_cost ? told : told - told_cost;
  return {
    ...budget,
    told_cost: told,
    spent: { ...spent, cost: (spent.cost ?? 0) + more },
  };
};
