/** Everything that can be asked of tasks. */
import type {
  ApplyTaskRequest,
  ChangeTaskRequest,
  ContextRequest,
  CreateTaskRequest,
  RetryTaskRequest,
  RunTaskRequest,
} from "../../contract/api/task-request.ts";
import type { TaskId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { TaskEvent } from "../../contract/task/task-event.ts";
import { follow } from "../../journal/follow.ts";
import type { TaskFilter } from "../ports/task-store.ts";
import { addContext, ask, freeName, retryTask, runTask } from "./ask-task.ts";
import { changeTask } from "./change-task.ts";
import { applyTask, createTask } from "./make-task.ts";
import { purgeTask } from "./purge-task.ts";
import { listAttempts, showTask } from "./show-task.ts";
import type { TaskDeps } from "./task-deps.ts";

export const taskOperations = (deps: TaskDeps) => ({
  createTask: (request: CreateTaskRequest, key?: string) =>
    createTask(deps, request, key),
  applyTask: (name: string, request: ApplyTaskRequest) =>
    applyTask(deps, name, request),
  listTasks: (filter: TaskFilter) => deps.store.tasks(filter),
  showTask: (id: TaskId) => showTask(deps, id),
  showTaskByName: async (name: string) => {
    const id = await deps.store.taskByName(name);
    if (id !== null) return showTask(deps, id);
    throw new RepriseError(
      "task_not_found",
      `There is no task with the name ${name}.`,
    );
  },
  changeTask: (id: TaskId, request: ChangeTaskRequest, key?: string) =>
    changeTask(deps, id, request, key),
  runTask: (id: TaskId, request: RunTaskRequest, key?: string) =>
    runTask(deps, id, request, key),
  retryTask: (id: TaskId, request: RetryTaskRequest, key?: string) =>
    retryTask(deps, id, request, key),
  addContext: (id: TaskId, request: ContextRequest, key?: string) =>
    addContext(deps, id, request, key),
  closeTask: (id: TaskId, as: "done" | "cancelled", key?: string) =>
    ask(deps, id, { operation: as }, key, async () => ({
      type: "task.close",
      as,
    })),
  deleteTask: (id: TaskId) =>
    ask(deps, id, { operation: "delete" }, undefined, async () => ({
      type: "task.delete",
    })),
  undeleteTask: (id: TaskId, key?: string) =>
    ask(deps, id, { operation: "undelete" }, key, async ({ name }) => ({
      type: "task.undelete",
      name: await freeName(deps, name),
    })),
  purgeTask: (id: TaskId, key?: string) => purgeTask(deps, id, key),
  listAttempts: (id: TaskId) => listAttempts(deps, id),
  listTaskEvents: async (id: TaskId, after: number, limit: number) => {
    // Of a damaged one those before the damage.
    if ((await deps.store.task(id)) === null) await deps.tasks.state(id);
    return deps.store.taskEvents(id, after, limit);
  },
  followTask: (id: TaskId, after: number, signal: AbortSignal) =>
    follow(
      {
        commits: deps.commits,
        events: (task, from, limit) => deps.store.taskEvents(task, from, limit),
        lengthOf: (event: TaskEvent) => JSON.stringify(event).length,
      },
      id,
      after,
      signal,
    ),
});

export type TaskOperations = ReturnType<typeof taskOperations>;
