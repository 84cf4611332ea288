/** How tasks and their attempts stand, as callers see them. */
import type { TaskId } from "../../contract/base/id.ts";
import type { Attempt, Task } from "../../contract/task/task.ts";
import type { SessionStanding } from "../../task/state.ts";
import { attemptView, taskView } from "../../task/view.ts";
import { isTaskDamaged } from "../failures/task-damaged.ts";
import { allSessions } from "../sessions/all-sessions.ts";
import type { TaskDeps } from "./task-deps.ts";

export const showTask = async (deps: TaskDeps, id: TaskId): Promise<Task> => {
  try {
    return taskView(await deps.tasks.state(id), await standings(deps, id));
  } catch (error) {
    const shown = isTaskDamaged(error) ? await deps.store.task(id) : null;
    if (shown === null) throw error;
    return shown;
  }
};

/** Its sessions as they stand now, oldest first, also those in the trash. */
const standings = async (
  { store }: TaskDeps,
  id: TaskId,
): Promise<SessionStanding[]> => {
  const found: { at: string; standing: SessionStanding }[] = [];
  for (const deleted of [false, true])
    for await (const session of allSessions(store, { task_id: id, deleted })) {
      const { id: session_id, state, turn_count, created_at } = session;
      const standing = {
        id: session_id,
        state,
        has_turns: turn_count > 0,
        asks: session.pending_permissions.length > 0,
      };
      found.push({ at: `${created_at} ${session.id}`, standing });
    }
  return found
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
    .map(({ standing }) => standing);
};

export const listAttempts = async (
  { tasks }: TaskDeps,
  id: TaskId,
): Promise<{ attempts: Attempt[]; next: null }> => {
  const state = await tasks.state(id);
  const attempts = state.attempts.map((each) => attemptView(state, each));
  return { attempts, next: null };
};
