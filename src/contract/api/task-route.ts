/** The routes about tasks. */
import * as z from "zod";
import { TaskId } from "../base/id.ts";
import { Attempt, Task } from "../task/task.ts";
import { TaskEventView } from "../task/task-event.ts";
import { EmptyRequest, EventsQuery, StreamQuery } from "./request.ts";
import { endpoint } from "./route-table.ts";
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
    ...endpoint("createTask"),
    summary: "Create a task",
    body: CreateTaskRequest,
    answer: Task,
  },
  listTasks: {
    ...endpoint("listTasks"),
    summary: "List tasks, the newest first",
    query: TasksQuery,
    answer: TaskPage,
  },
  applyTask: {
    ...endpoint("applyTask"),
    summary: "Make the task with this name what is described, or create it",
    body: ApplyTaskRequest,
    answer: Task,
  },
  showTaskByName: {
    ...endpoint("showTaskByName"),
    summary: "Show the task with this name",
    answer: Task,
  },
  showTask: {
    ...endpoint("showTask"),
    summary: "Show a task",
    answer: Task,
  },
  changeTask: {
    ...endpoint("changeTask"),
    summary:
      "Change the budget of a task; an attempt that stopped at it goes on",
    body: ChangeTaskRequest,
    answer: Task,
  },
  runTask: {
    ...endpoint("runTask"),
    summary: "Make the first attempt at a task",
    body: RunTaskRequest,
    answer: Task,
  },
  retryTask: {
    ...endpoint("retryTask"),
    summary: "Make another attempt: go on with the last one, or start over",
    body: RetryTaskRequest,
    answer: Task,
  },
  addContext: {
    ...endpoint("addContext"),
    summary: "Add to what is asked for; the agent is told what is new",
    body: ContextRequest,
    answer: Task,
  },
  finishTask: {
    ...endpoint("finishTask"),
    summary: "The task is done: its sessions end",
    body: EmptyRequest,
    answer: Task,
  },
  cancelTask: {
    ...endpoint("cancelTask"),
    summary: "Give a task up: its sessions are cancelled",
    body: EmptyRequest,
    answer: Task,
  },
  deleteTask: {
    ...endpoint("deleteTask"),
    summary: "Put a task into the trash; one that is open is cancelled",
    answer: Task,
  },
  undeleteTask: {
    ...endpoint("undeleteTask"),
    summary: "Take a task out of the trash",
    body: EmptyRequest,
    answer: Task,
  },
  purgeTask: {
    ...endpoint("purgeTask"),
    summary: "Remove a task that is in the trash for good",
    body: EmptyRequest,
    answer: PurgedTask,
  },
  listAttempts: {
    ...endpoint("listAttempts"),
    summary: "The attempts at a task, the first one first",
    answer: AttemptPage,
  },
  listTaskEvents: {
    ...endpoint("listTaskEvents"),
    summary: "What happened to a task, from a cursor on",
    query: EventsQuery,
    answer: TaskEventPage,
  },
  streamTaskEvents: {
    ...endpoint("streamTaskEvents"),
    summary: "What happens to a task, as server-sent events",
    query: StreamQuery,
    answer: TaskEventView,
    traits: ["stream"],
  },
} as const;
