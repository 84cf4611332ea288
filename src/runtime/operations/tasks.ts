import type { TaskId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { CreateTaskRequest } from "../../contract/api/request.ts";
import type { Session } from "../../contract/session/session.ts";
import { Task } from "../../contract/task/task.ts";
import { taskOf } from "../../task/derive.ts";
import { allSessions } from "../sessions/all-sessions.ts";
import { answeredBefore } from "../../journal/receipts.ts";
import type { TaskRecord } from "../ports/store.ts";
import type { OperationDeps } from "./operation-deps.ts";

export const taskOperations = (deps: OperationDeps) => ({
  createTask: (request: CreateTaskRequest, key?: string) =>
    createTask(deps, request, key),
  showTask: (id: TaskId) => showTask(deps, id),
  listTasks: (page: { limit: number; after?: string }) => listTasks(deps, page),
});

const createTask = (
  deps: OperationDeps,
  request: CreateTaskRequest,
  key?: string,
): Promise<Task> => {
  const { store, receipts, ids, clock, lanes } = deps;
  return lanes.run(`tasks ${key ?? ""}`, async () => {
    const before =
      key === undefined
        ? null
        : await answeredBefore(receipts, "tasks", key, request);
    if (before !== null && "answer" in before)
      return Task.parse(JSON.parse(before.answer));
    const record = {
      id: ids.task(),
      ...request,
      created_at: clock.now().toISOString(),
    };
    const task = taskOf(record, []);
    await store.createTask(deps.term, record, before?.receipt(task) ?? null);
    return task;
  });
};

const showTask = async (deps: OperationDeps, id: TaskId): Promise<Task> => {
  const record = await deps.store.task(id);
  if (record === null)
    throw new RepriseError("task_not_found", `There is no task ${id}.`);
  return withSessions(deps, record);
};

const listTasks = async (
  deps: OperationDeps,
  page: { limit: number; after?: string },
): Promise<{ tasks: Task[]; next: string | null }> => {
  const { tasks, next } = await deps.store.tasks(page);
  return {
    tasks: await Promise.all(tasks.map((record) => withSessions(deps, record))),
    next,
  };
};

const withSessions = async (
  { store }: OperationDeps,
  record: TaskRecord,
): Promise<Task> => {
  const sessions: Session[] = [];
  for await (const session of allSessions(store, { task_id: record.id }))
    sessions.push(session);
  return taskOf(record, sessions);
};
