import type { Budget } from "../../contract/base/budget.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type { OperationDeps } from "./operation-deps.ts";

export const budgetOperations = ({ engine, recovery }: OperationDeps) => ({
  /** Saying the same again is no error. Prompts that wait for a higher one begin. */
  setBudget: async (
    session: SessionId,
    budget: Budget | null,
  ): Promise<void> => {
    recovery.touchSoon(session);
    await engine.issue(session, { type: "budget.set", budget });
  },
});
