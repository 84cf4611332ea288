/** Tasks that have been in the trash for long enough are removed for good (TSK-69). */
import type { TaskId } from "../../contract/base/id.ts";
import { elapsedMs } from "../../kit/time/elapsed.ts";
import type { Retention } from "../../session/view/retention.ts";
import type { State } from "../../task/state.ts";
import type { Ages } from "../ports/home.ts";
import { removeTask } from "./purge-task.ts";
import type { TaskDeps } from "./task-deps.ts";

const PAGE = 100;
const DAY_MS = 86_400_000;

interface Deps extends Pick<TaskDeps, "tasks" | "store" | "callers"> {
  log: Pick<TaskDeps["log"], "warn">;
}

/** Gives those that were removed. One that cannot be removed does not hold up the others. */
export const emptyTaskTrash = async (
  { tasks, store, callers, log }: Deps,
  ages: Ages,
  { trash_days }: Retention,
): Promise<TaskId[]> => {
  const isOver = (deleted_at: string): boolean =>
    elapsedMs(ages.since(deleted_at), ages.now().toISOString()) >=
    trash_days * DAY_MS;
  const isDue = ({ deleted_at }: State): boolean =>
    deleted_at !== null && isOver(deleted_at);
  const removed: TaskId[] = [];
  let after: string | undefined;
  do {
    const page = await store.tasks({ limit: PAGE, deleted: true, after });
    for (const { id, deleted_at, damaged } of page.tasks) {
      if (damaged === true || deleted_at === undefined || !isOver(deleted_at))
        continue;
      try {
        if (await removeTask({ tasks, callers }, id, isDue)) removed.push(id);
      } catch (err) {
        log.warn(
          { task_id: id, err },
          "could not remove a task from the trash",
        );
      }
    }
    after = page.next ?? undefined;
  } while (after !== undefined);
  return removed;
};
