import * as z from "zod";
import { Budget, UsedUp } from "../base/budget.ts";

/** What happens to the budget of a session. */
export const budgetEvents = {
  /** Null: it has none any more. */
  "session.budget.changed": z.object({ budget: Budget.nullable() }),
  /** Something of it is used up: no turn begins until it is raised. */
  "session.budget.reached": UsedUp,
} as const;
