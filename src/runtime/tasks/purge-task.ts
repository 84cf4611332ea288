/** Removes a task in the trash for good, in one transaction: because its time there is over (TSK-69), or because somebody asked. */
import { PurgedTask } from "../../contract/api/task-route.ts";
import type { TaskId } from "../../contract/base/id.ts";
import { NoDraft } from "../../contract/event/draft.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { once } from "../../journal/receipts.ts";
import { intend } from "../../task/intend.ts";
import { openAttempt, type State } from "../../task/state.ts";
import type { TaskDeps } from "./task-deps.ts";

/** Says whether it went: not while something is to be done for it. */
export const removeTask = (
  { tasks, callers }: Pick<TaskDeps, "tasks" | "callers">,
  id: TaskId,
  isDue: (state: State) => boolean,
): Promise<boolean> =>
  tasks.purge(
    id,
    async (state) => isAtRest(state) && isDue(state),
    async () => {
      callers.delete(id);
    },
  );

const isAtRest = (state: State): boolean =>
  state.deleted_at !== null &&
  openAttempt(state) === null &&
  intend(state).length === 0;

type Deps = Pick<TaskDeps, "tasks" | "callers" | "receipts" | "lanes">;

/** With a key, whoever finds no task any more after a draft was kept was cut off behind the end of it. */
export const purgeTask = (
  deps: Deps,
  task_id: TaskId,
  key?: string,
): Promise<PurgedTask> =>
  once<null, null, PurgedTask>(deps, {
    scope: "purges",
    key,
    request: { task_id },
    draft: NoDraft,
    answer: PurgedTask,
    begin: async (keep) => {
      await requirePurgeable(deps, task_id);
      const { receipt } = keep(() => null);
      if (receipt !== undefined) await deps.receipts.put(receipt(null));
      return null;
    },
    finish: async () => {
      await carryOut(deps, task_id).catch((error: unknown) => {
        if (!isTaskGone(error)) throw error;
      });
      return { task_id };
    },
  });

const carryOut = async (deps: Deps, id: TaskId): Promise<void> => {
  if (await removeTask(deps, id, () => true)) return;
  await requirePurgeable(deps, id);
  throw busy();
};

const requirePurgeable = async (
  { tasks }: Pick<TaskDeps, "tasks">,
  id: TaskId,
): Promise<void> => {
  const state = await tasks.state(id);
  if (state.deleted_at === null)
    throw new RepriseError(
      "wrong_state",
      "The task is not in the trash. Delete it first; then it can be deleted for good.",
    );
  if (!isAtRest(state)) throw busy();
};

const busy = (): RepriseError =>
  new RepriseError(
    "wrong_state",
    "Its sessions are still being ended. Try again when that is over.",
  );

const isTaskGone = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "task_not_found";
