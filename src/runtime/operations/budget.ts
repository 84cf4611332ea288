import type { BudgetRequest } from "../../contract/api/budget-route.ts";
import type { SessionId } from "../../contract/base/id.ts";
import type { Session } from "../../contract/session/session.ts";
import { viewOf } from "../../session/view/view.ts";
import type { OperationDeps } from "./operation-deps.ts";

export const budgetOperations = ({ engine, recovery }: OperationDeps) => ({
  /** Saying the same again is no error. Prompts that wait for a higher one begin. */
  setBudget: async (
    session: SessionId,
    { budget }: BudgetRequest,
  ): Promise<Session> => {
    recovery.touchSoon(session);
    await engine.issue(session, { type: "budget.set", budget });
    return viewOf(await engine.state(session));
  },
});
