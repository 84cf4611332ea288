/** Tasks in the database. A row that is damaged is shown with a mark; one without a readable id is left out. */
import { TaskId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import { newTask, NO_RETRY } from "../../contract/task/new-task.ts";
import { Task } from "../../contract/task/task.ts";
import type { TaskEvent } from "../../contract/task/task-event.ts";
import type {
  DueTask,
  TaskNews,
  TaskStore,
} from "../../runtime/ports/task-store.ts";
import { pageOf, positionOf } from "../cursor.ts";
import { refuseTaskNumbers } from "../refusal.ts";
import { storedTask } from "../stored.ts";
import { fullPage, sessionIdOf } from "./full-page.ts";
import { taskRowsOf } from "./tables/task-append.ts";
import { parsed } from "./tables/json-path.ts";
import type { NewsRow } from "./tables/task-news.ts";
import type { DueTaskRow, StoredTask } from "./tables/tasks.ts";
import { TaskJournal, type TaskJournalParts } from "./task-journal.ts";

export const sqliteTasks = ({
  onLeftOut,
  ...parts
}: TaskJournalParts & {
  /** Told of what is left out, in words. */
  onLeftOut: (words: string) => void;
}): TaskStore => {
  const { reader, writer } = parts;
  const journal = new TaskJournal(parts);

  const shown = async (row: StoredTask): Promise<Task[]> => {
    const [id] = taskIdOf(row.id);
    if (id === undefined) {
      onLeftOut(`rows of tasks cannot be read and are left out: ${row.id}`);
      return [];
    }
    if (row.isDamaged) return [await salvaged(id, row.view)];
    const task = storedTask(row.view);
    return [row.isMarked ? { ...task, damaged: true } : task];
  };

  /** What can still be read of a task whose row is damaged. */
  const salvaged = async (id: TaskId, view: string): Promise<Task> => {
    const { success, data } = Task.safeParse(parsed(view));
    return success
      ? { ...data, id, damaged: true }
      : bareTask(id, await firstEvent(id));
  };

  const firstEvent = async (id: TaskId): Promise<TaskEvent | null> => {
    try {
      return (await journal.events(id, 0, 1))[0] ?? null;
    } catch (error) {
      if (error instanceof RepriseError && error.code === "task_damaged")
        return null;
      throw error;
    }
  };

  return {
    async appendTask(change) {
      const wrong = refuseTaskNumbers(change);
      if (wrong !== null) throw new RepriseError(wrong.code, wrong.message);
      await writer.ask("appendTask", taskRowsOf(change));
    },
    async purgeTask({ term }, task) {
      await writer.ask("purgeTask", { term, task });
    },
    async forgetTaskNews({ term }, session, up_to_seq) {
      await writer.ask("forgetTaskNews", { term, session, up_to_seq });
    },

    loadTask: (id) => journal.load(id),
    taskEvents: (id, after, limit) => journal.events(id, after, limit),

    async task(id) {
      const row = await reader.ask("task", id);
      return row === null ? null : ((await shown(row))[0] ?? null);
    },
    async taskByName(name) {
      const id = await reader.ask("taskByName", name);
      return id === null ? null : (taskIdOf(id)[0] ?? null);
    },
    async tasks({ after, limit, ...filter }) {
      const query = { ...filter, from: positionOf(after), limit: limit + 1 };
      const { rows, next } = pageOf(await reader.ask("tasks", query), limit);
      return { tasks: (await Promise.all(rows.map(shown))).flat(), next };
    },
    liveTasks: (after, limit) =>
      fullPage<string, TaskId>(
        limit,
        after,
        (from, count) => reader.ask("liveTasks", { after: from, limit: count }),
        taskIdOf,
      ),
    dueTasks: (by, after, limit) =>
      fullPage<DueTaskRow, DueTask>(
        limit,
        after,
        (from, count) =>
          reader.ask("dueTasks", { by, after: from, limit: count }),
        ({ task_id, due_at }) =>
          taskIdOf(task_id).map((id) => ({ task_id: id, due_at })),
      ),

    async taskNews(session) {
      const row = await reader.ask("taskNews", session);
      return row === null ? null : (newsIn(row)[0] ?? null);
    },
    allTaskNews: (after, limit) =>
      fullPage<NewsRow, TaskNews>(
        limit,
        null,
        (from, count) =>
          reader.ask("allTaskNews", {
            after: from?.session_id ?? after,
            limit: count,
          }),
        newsIn,
      ),
  };
};

/** None where it is damaged: no task has such an id. */
const taskIdOf = (text: string): TaskId[] => {
  const { success, data } = TaskId.safeParse(text);
  return success ? [data] : [];
};

const newsIn = ({
  session_id,
  task_id,
  from_seq,
  to_seq,
}: NewsRow): TaskNews[] => {
  const [[session], [task]] = [sessionIdOf(session_id), taskIdOf(task_id)];
  const isSound =
    Number.isSafeInteger(from_seq) && Number.isSafeInteger(to_seq);
  return session === undefined || task === undefined || !isSound
    ? []
    : [{ session_id: session, task_id: task, from_seq, to_seq }];
};

/** What the first event tells, where nothing else can be read. */
const bareTask = (id: TaskId, first: TaskEvent | null): Task => {
  const created = first?.type === "task.created" ? first : null;
  const at = created?.at ?? new Date(0).toISOString();
  const name = created?.data.name ?? null;
  return {
    ...newTask({
      id,
      ...(name !== null && { name }),
      title: created?.data.title ?? "",
      description: created?.data.description ?? "",
      retry: created?.data.retry ?? NO_RETRY,
      last_seq: created?.seq ?? 0,
      created_at: at,
    }),
    damaged: true,
  };
};
