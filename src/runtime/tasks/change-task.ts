/** The budget of a task is said anew, also for the session that works for it (TSK-67). */
import type { ChangeTaskRequest } from "../../contract/api/task-request.ts";
import type { TaskId } from "../../contract/base/id.ts";
import type { Task } from "../../contract/task/task.ts";
import { budgetFor } from "../../task/budget.ts";
import { openAttempt } from "../../task/state.ts";
import { failureKind } from "../failures/failure-kind.ts";
import { ask, remember } from "./ask-task.ts";
import { retrySessionOf } from "./retry-session.ts";
import { showTask } from "./show-task.ts";
import type { TaskDeps } from "./task-deps.ts";

export const changeTask = async (
  deps: TaskDeps,
  id: TaskId,
  { budget, caller_env }: ChangeTaskRequest,
  key?: string,
): Promise<Task> => {
  const request = { operation: "change", budget };
  await ask(deps, id, request, key, async (state, ids) => {
    remember(deps, id, caller_env);
    const session = await retrySessionOf(deps.sessions, state);
    return { type: "budget.set", budget, ids, session };
  });
  await tellSession(deps, id);
  return showTask(deps, id);
};

/** Where this does not come about, the attempt stops at the budget it began with and another one goes on. */
const tellSession = async (deps: TaskDeps, id: TaskId): Promise<void> => {
  const state = await deps.tasks.state(id);
  const session = openAttempt(state)?.session_id ?? null;
  if (session === null) return;
  try {
    await deps.operations.setBudget(session, budgetFor(state, session));
  } catch (error) {
    // It has ended, or is damaged: then it spends nothing more.
    const kind = failureKind(error);
    if (kind !== "refused" && kind !== "damaged") throw error;
  }
};
