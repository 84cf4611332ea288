import type { SessionId, TaskId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { TaskDeps } from "./task-deps.ts";

/** Does something with a session of a task. Where that is gone, or nothing can be read of it, the task is told (TSK-28). */
export const unlessLost = async (
  { tasks }: Pick<TaskDeps, "tasks">,
  task: TaskId,
  session_id: SessionId,
  work: () => Promise<unknown>,
): Promise<void> => {
  try {
    await work();
  } catch (error) {
    const state = lostAs(error);
    if (state === null || !(error instanceof RepriseError)) throw error;
    const reason = { code: error.code, text: error.message };
    await tasks
      .issue(task, { type: "session.lose", session_id, state, reason })
      .catch(unlessUnknown);
  }
};

/** How a session counts that cannot be asked any more; null where it can. */
const lostAs = (error: unknown): "CANCELLED" | "FAILED" | null => {
  if (!(error instanceof RepriseError)) return null;
  switch (error.code) {
    case "session_not_found":
    case "session_deleted":
      return "CANCELLED";
    case "session_damaged":
      return "FAILED";
    default:
      return null;
  }
};

/** The task was removed, or is one of another home, which a session that came from there names: nobody is to be told. */
export const unlessUnknown = (error: unknown): void => {
  if (!(error instanceof RepriseError) || error.code !== "task_not_found")
    throw error;
};
