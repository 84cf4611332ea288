import type { TaskId } from "../../contract/id.ts";
import { RepriseError } from "../../contract/problem.ts";
import type { CreateTaskRequest } from "../../contract/request.ts";
import type { Session } from "../../contract/session.ts";
import { Task } from "../../contract/task.ts";
import { taskOf } from "../../task/derive.ts";
import { allSessions } from "../journal/all-sessions.ts";
import { answeredBefore } from "./once.ts";
import type { TaskRecord } from "../ports/ports.ts";
import type { House } from "./house.ts";

export const taskOperations = (house: House) => ({
  createTask: (request: CreateTaskRequest, key?: string) =>
    createTask(house, request, key),
  showTask: (id: TaskId) => showTask(house, id),
  listTasks: (page: { limit: number; after?: string }) =>
    listTasks(house, page),
});

const createTask = (
  house: House,
  request: CreateTaskRequest,
  key?: string,
): Promise<Task> => {
  const { store, engine, ids, clock, lanes } = house;
  return lanes.run(`tasks ${key ?? ""}`, async () => {
    const before =
      key === undefined
        ? null
        : await answeredBefore(store, "tasks", key, request);
    if (before !== null && "answer" in before)
      return Task.parse(JSON.parse(before.answer));
    const record = {
      id: ids.task(),
      ...request,
      created_at: clock.now().toISOString(),
    };
    const task = taskOf(record, []);
    await store.createTask(engine.term, record, before?.receipt(task) ?? null);
    return task;
  });
};

const showTask = async (house: House, id: TaskId): Promise<Task> => {
  const record = await house.store.task(id);
  if (record === null)
    throw new RepriseError("task_not_found", `There is no task ${id}.`);
  return withSessions(house, record);
};

const listTasks = async (
  house: House,
  page: { limit: number; after?: string },
): Promise<{ tasks: Task[]; next: string | null }> => {
  const { tasks, next } = await house.store.tasks(page);
  return {
    tasks: await Promise.all(
      tasks.map((record) => withSessions(house, record)),
    ),
    next,
  };
};

const withSessions = async (
  { store }: House,
  record: TaskRecord,
): Promise<Task> => {
  const sessions: Session[] = [];
  for await (const session of allSessions(store, { task_id: record.id }))
    sessions.push(session);
  return taskOf(record, sessions);
};
