/** What the runtime needs of a store for tasks: their journals, and what finds them. */
import type { SessionId, TaskId } from "../../contract/base/id.ts";
import type { TaskEvent } from "../../contract/task/task-event.ts";
import type { Task, TaskState } from "../../contract/task/task.ts";
import type { PlaceTerm, Receipt } from "../../journal/journal-store.ts";
import type { OutboxEntry } from "./webhook-store.ts";

/** What is kept beside the journal of a task and follows from its events. */
export interface TaskDerived {
  /** What lists show of it. */
  view: Task;
  /** The world has to do something for it, or it waits for one of its sessions. */
  is_live: boolean;
  /** When it has to be looked at again; null when never. */
  due_at: string | null;
}

/** Everything one decision changes: it becomes durable together or not at all. */
export interface TaskAppend extends TaskDerived {
  place: PlaceTerm;
  task_id: TaskId;
  /** The number of its last event before these: refused with `moved_on` when it is another. */
  after: number;
  events: readonly TaskEvent[];
  receipt: Receipt | null;
  /** Which channels are to be told of the events (STO-73). */
  outbox?: readonly OutboxEntry[];
}

/** A session of a task in which something happened that the task was not told. */
export interface TaskNews {
  session_id: SessionId;
  task_id: TaskId;
  /** The first event that it was not told of. */
  from_seq: number;
  /** The last one that made news. */
  to_seq: number;
}

export interface DueTask {
  task_id: TaskId;
  due_at: string;
}

/** Which tasks a list shows, and which page of it. */
export interface TaskFilter {
  limit: number;
  after?: string | undefined;
  state?: TaskState | undefined;
  agent?: string | undefined;
  /** The beginning of the id. */
  prefix?: string | undefined;
  /** Those in the trash instead of all others. */
  deleted?: boolean | undefined;
}

/**
 * The journals of tasks. Refusals are those of `Store`; a task whose name another one has is refused with `task_exists`.
 * Everything that resolves is durable.
 */
export interface TaskStore {
  appendTask(change: TaskAppend): Promise<void>;
  /** Removes the task and its journal. One that is not there is no error. */
  purgeTask(place: PlaceTerm, id: TaskId): Promise<void>;
  /** Null when there is no such task. */
  loadTask(id: TaskId): Promise<{ last_seq: number } | null>;
  /** In order, from `after` (exclusive), at most `limit`; none only at the end. Damage is refused with `task_damaged`. */
  taskEvents(id: TaskId, after: number, limit: number): Promise<TaskEvent[]>;
  /** As lists show it. One that is not what was written has the mark `damaged`. */
  task(id: TaskId): Promise<Task | null>;
  taskByName(name: string): Promise<TaskId | null>;
  /** Those that fit, the newest first. */
  tasks(filter: TaskFilter): Promise<{ tasks: Task[]; next: string | null }>;
  /** Those that are `is_live`, by their ids, from `after` (exclusive); fewer than `limit` only at the end. */
  liveTasks(after: TaskId | null, limit: number): Promise<TaskId[]>;
  /** Those that are due by this time, the longest due first, from `after` (exclusive); fewer than `limit` only at the end. */
  dueTasks(
    by: string,
    after: DueTask | null,
    limit: number,
  ): Promise<DueTask[]>;
  /** Of one session; null when its task was told everything. */
  taskNews(session: SessionId): Promise<TaskNews | null>;
  /** Of all sessions, by their ids, from `after` (exclusive); fewer than `limit` only at the end. */
  allTaskNews(after: SessionId | null, limit: number): Promise<TaskNews[]>;
  /** The task was told everything up to this event of the session. */
  forgetTaskNews(
    place: PlaceTerm,
    session: SessionId,
    up_to_seq: number,
  ): Promise<void>;
}
