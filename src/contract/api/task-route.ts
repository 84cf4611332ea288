/** The routes about tasks. */
import * as z from "zod";
import { TaskId } from "../base/id.ts";
import { Attempt, Task } from "../task/task.ts";
import { TaskEventView } from "../task/task-event.ts";
import { EmptyRequest, EventsQuery, StreamQuery } from "./request.ts";
import {
  ApplyTaskRequest,
  ChangeTaskRequest,
  ContextRequest,
  CreateTaskRequest,
  RetryTaskRequest,
  RunTaskRequest,
  TasksQuery,
} from "./task-request.ts";

const next = z.string().nullable();
export const TaskPage = z.object({ tasks: z.array(Task), next });
export const AttemptPage = z.object({ attempts: z.array(Attempt), next });
export const TaskEventPage = z.object({
  events: z.array(TaskEventView),
  next,
});

/** It is gone for good. */
export const PurgedTask = z.object({ task_id: TaskId });
export type PurgedTask = z.infer<typeof PurgedTask>;

export const taskRoutes = {
  createTask: {
    method: "POST",
    path: "/api/tasks",
    summary: "Create a task",
    body: CreateTaskRequest,
    status: 201,
    answer: Task,
  },
  listTasks: {
    method: "GET",
    path: "/api/tasks",
    summary: "List tasks, the newest first",
    query: TasksQuery,
    status: 200,
    answer: TaskPage,
  },
  applyTask: {
    method: "PUT",
    path: "/api/tasks/by-name/:name",
    summary: "Make the task with this name what is described, or create it",
    body: ApplyTaskRequest,
    status: 200,
    answer: Task,
  },
  showTaskByName: {
    method: "GET",
    path: "/api/tasks/by-name/:name",
    summary: "Show the task with this name",
    status: 200,
    answer: Task,
  },
  showTask: {
    method: "GET",
    path: "/api/tasks/:id",
    summary: "Show a task",
    status: 200,
    answer: Task,
  },
  changeTask: {
    method: "PATCH",
    path: "/api/tasks/:id",
    summary:
      "Change the budget of a task; an attempt that stopped at it goes on",
    body: ChangeTaskRequest,
    status: 200,
    answer: Task,
  },
  runTask: {
    method: "POST",
    path: "/api/tasks/:id/run",
    summary: "Make the first attempt at a task",
    body: RunTaskRequest,
    status: 200,
    answer: Task,
  },
  retryTask: {
    method: "POST",
    path: "/api/tasks/:id/retry",
    summary: "Make another attempt: go on with the last one, or start over",
    body: RetryTaskRequest,
    status: 200,
    answer: Task,
  },
  addContext: {
    method: "POST",
    path: "/api/tasks/:id/context",
    summary: "Add to what is asked for; the agent is told what is new",
    body: ContextRequest,
    status: 200,
    answer: Task,
  },
  finishTask: {
    method: "POST",
    path: "/api/tasks/:id/done",
    summary: "The task is done: its sessions end",
    body: EmptyRequest,
    status: 200,
    answer: Task,
  },
  cancelTask: {
    method: "POST",
    path: "/api/tasks/:id/cancel",
    summary: "Give a task up: its sessions are cancelled",
    body: EmptyRequest,
    status: 200,
    answer: Task,
  },
  deleteTask: {
    method: "DELETE",
    path: "/api/tasks/:id",
    summary: "Put a task into the trash; one that is open is cancelled",
    status: 200,
    answer: Task,
  },
  undeleteTask: {
    method: "POST",
    path: "/api/tasks/:id/undelete",
    summary: "Take a task out of the trash",
    body: EmptyRequest,
    status: 200,
    answer: Task,
  },
  purgeTask: {
    method: "POST",
    path: "/api/tasks/:id/purge",
    summary: "Remove a task that is in the trash for good",
    body: EmptyRequest,
    status: 200,
    answer: PurgedTask,
  },
  listAttempts: {
    method: "GET",
    path: "/api/tasks/:id/attempts",
    summary: "The attempts at a task, the first one first",
    status: 200,
    answer: AttemptPage,
  },
  listTaskEvents: {
    method: "GET",
    path: "/api/tasks/:id/events",
    summary: "What happened to a task, from a cursor on",
    query: EventsQuery,
    status: 200,
    answer: TaskEventPage,
  },
  streamTaskEvents: {
    method: "GET",
    path: "/api/tasks/:id/stream",
    summary: "What happens to a task, as server-sent events",
    query: StreamQuery,
    status: 200,
    answer: TaskEventView,
    traits: ["stream"],
  },
} as const;
