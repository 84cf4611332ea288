/** Tasks that have been in the trash for long enough are removed for good (TSK-69). */
import type { TaskId } from "../../contract/base/id.ts";
import { elapsedMs } from "../../kit/time/elapsed.ts";
import type { Retention } from "../../session/view/retention.ts";
import { intend } from "../../task/intend.ts";
import { openAttempt, type State } from "../../task/state.ts";
import type { Ages } from "../ports/home.ts";
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
  const mayGo = async (state: State): Promise<boolean> =>
    state.deleted_at !== null &&
    isOver(state.deleted_at) &&
    openAttempt(state) === null &&
    intend(state).length === 0;
  const removed: TaskId[] = [];
  let after: string | undefined;
  do {
    const page = await store.tasks({ limit: PAGE, deleted: true, after });
    for (const { id, deleted_at, damaged } of page.tasks) {
      if (damaged === true || deleted_at === undefined || !isOver(deleted_at))
        continue;
      try {
        const isGone = await tasks.purge(id, mayGo, async () => {
          callers.delete(id);
        });
        if (isGone) removed.push(id);
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
