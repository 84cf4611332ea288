import type { TaskId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Store } from "../ports/store.ts";

type Deps = { store: Pick<Store, "task"> };

/** A closed task takes no more sessions (TSK-32). */
export const checkTask = async (
  { store }: Deps,
  id: TaskId | undefined,
): Promise<void> => {
  if (id === undefined) return;
  const task = await store.task(id);
  if (task === null)
    throw new RepriseError("task_not_found", `There is no task ${id}.`);
  if (task.closed_at !== undefined)
    throw new RepriseError(
      "task_closed",
      `The task ${id} is closed: it takes no more sessions. Start the session without a task, or create another task.`,
      { state: task.state },
    );
};

/** The task, where it is known here and open; else a session goes on without it. */
export const openTask = async (
  { store }: Deps,
  id: TaskId | null,
): Promise<TaskId | null> => {
  const task = id === null ? null : await store.task(id);
  return task === null || task.closed_at !== undefined ? null : task.id;
};
