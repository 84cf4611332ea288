import * as z from "zod";
import { Budget } from "../base/budget.ts";
import { Session } from "../session/session.ts";

/** What a session may spend from now on, with what it has spent so far; null: whatever it takes. */
export const BudgetRequest = z.strictObject({ budget: Budget.nullable() });
export type BudgetRequest = z.infer<typeof BudgetRequest>;

export const budgetRoutes = {
  setBudget: {
    method: "PUT",
    path: "/api/sessions/:id/budget",
    summary: "Say what a session may spend; prompts that wait for that go on",
    body: BudgetRequest,
    status: 200,
    answer: Session,
  },
} as const;
