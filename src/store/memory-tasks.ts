/** Tasks of the store in memory. */
import type { SessionId, TaskId } from "../contract/base/id.ts";
import type { Task } from "../contract/task/task.ts";
import type { Append, Receipt } from "../runtime/ports/store.ts";
import type { OutboxEntry } from "../runtime/ports/webhook-store.ts";
import type {
  DueTask,
  TaskFilter,
  TaskNews,
  TaskStore,
} from "../runtime/ports/task-store.ts";
import { compared, cut } from "./memory-lists.ts";
import {
  refuseName,
  refuseSeq,
  nameHeld,
  refuseTaskNumbers,
  refuseTerm,
  type Refusal,
} from "./refusal.ts";
import { storedTask, storedTaskEvent } from "./stored.ts";

/** Everything is held as JSON, so that nobody shares an object with the store. */
interface TaskRow {
  name: string | null;
  events: string[];
  view: string;
  is_live: boolean;
  due_at: string | null;
  /** The number of its newest change. */
  changed: number;
}

interface Parts {
  /** Refuses when the store is closed. */
  open: () => void;
  refuse: (refusal: Refusal | null) => void;
  /** The newest term. */
  term: () => number;
  refuseUsed: (receipt: Receipt | null) => void;
  keep: (receipt: Receipt | null) => void;
  nextChange: () => number;
  note: (task: TaskId, outbox: readonly OutboxEntry[] | undefined) => void;
  /** Drops what is kept beside a task that is gone. */
  forget: (task: TaskId) => void;
}

export const memoryTasks = ({
  open,
  refuse,
  term,
  note,
  forget,
  nextChange,
  ...receipts
}: Parts) => {
  const rows = new Map<TaskId, TaskRow>();
  const news = new Map<SessionId, TaskNews>();
  const named = (name: string): TaskId | null =>
    [...rows].find(([, row]) => row.name === name)?.[0] ?? null;

  const store: TaskStore = {
    // One synchronous stretch: everything is checked before anything is changed.
    async appendTask(change) {
      open();
      refuse(refuseTaskNumbers(change));
      const { task_id, view, is_live, due_at } = change;
      const events = rows.get(task_id)?.events ?? [];
      const name = nameHeld(view);
      refuse(refuseTerm(change.place.term, term()));
      refuse(refuseSeq(task_id, change.after, events.length));
      receipts.refuseUsed(change.receipt);
      if (name !== null) refuse(refuseName(name, task_id, named(name)));

      receipts.keep(change.receipt);
      for (const event of change.events) events.push(JSON.stringify(event));
      rows.set(task_id, {
        name,
        events,
        view: JSON.stringify(view),
        is_live,
        due_at,
        changed: nextChange(),
      });
      note(task_id, change.outbox);
    },

    async purgeTask(place, id) {
      open();
      refuse(refuseTerm(place.term, term()));
      rows.delete(id);
      for (const [session, { task_id }] of news)
        if (task_id === id) news.delete(session);
      forget(id);
    },

    async loadTask(id) {
      open();
      const row = rows.get(id);
      return row === undefined ? null : { last_seq: row.events.length };
    },

    async taskEvents(id, after, limit) {
      open();
      const events = rows.get(id)?.events ?? [];
      return events.slice(after, after + limit).map(storedTaskEvent);
    },

    async task(id) {
      open();
      const row = rows.get(id);
      return row === undefined ? null : storedTask(row.view);
    },

    async taskByName(name) {
      open();
      return named(name);
    },

    async tasks(filter) {
      open();
      const all = [...rows.values()]
        .map((row) => storedTask(row.view))
        .filter((task) => isListed(task, filter))
        .map((task) => ({ at: task.created_at, id: task.id, task }));
      const { rows: found, next } = cut(all, filter);
      return { tasks: found.map(({ task }) => task), next };
    },

    async liveTasks(after, limit) {
      open();
      return [...rows]
        .filter(([id, row]) => row.is_live && id > (after ?? ""))
        .map(([id]) => id)
        .toSorted()
        .slice(0, limit);
    },

    async dueTasks(by, after, limit) {
      open();
      return [...rows]
        .flatMap(([task_id, { due_at }]) =>
          due_at !== null && due_at <= by ? [{ task_id, due_at }] : [],
        )
        .filter((due) => after === null || longestFirst(after, due) < 0)
        .sort(longestFirst)
        .slice(0, limit);
    },

    async taskNews(session) {
      open();
      const found = news.get(session);
      return found === undefined ? null : { ...found };
    },

    async allTaskNews(after, limit) {
      open();
      return [...news.values()]
        .filter(({ session_id }) => session_id > (after ?? ""))
        .sort((a, b) => compared(a.session_id, b.session_id))
        .slice(0, limit)
        .map((each) => ({ ...each }));
    },

    async forgetTaskNews(place, session, up_to_seq) {
      open();
      refuse(refuseTerm(place.term, term()));
      const found = news.get(session);
      if (found === undefined) return;
      if (found.to_seq <= up_to_seq) news.delete(session);
      else found.from_seq = Math.max(found.from_seq, up_to_seq + 1);
    },
  };

  return {
    store,
    changed: (): { changed: number; task: Task }[] =>
      [...rows.values()].map(({ changed, view }) => ({
        changed,
        task: storedTask(view),
      })),
    /** What a change of a session is to its task. */
    tell: ({ session_id, view, after, events, news: isNews }: Append): void => {
      const { task_id } = view;
      if (!isNews || task_id === null || events.length === 0) return;
      const from_seq = news.get(session_id)?.from_seq ?? after + 1;
      const to_seq = after + events.length;
      news.set(session_id, { session_id, task_id, from_seq, to_seq });
    },
    /** The session is gone. */
    drop: (session: SessionId): void => void news.delete(session),
  };
};

const isListed = (
  task: Task,
  { state, agent, prefix, deleted }: TaskFilter,
): boolean =>
  (task.deleted_at !== undefined) === (deleted ?? false) &&
  (state === undefined || task.state === state) &&
  (agent === undefined || task.agent === agent) &&
  task.id.startsWith(prefix ?? "");

const longestFirst = (a: DueTask, b: DueTask): number =>
  compared(a.due_at, b.due_at) || compared(a.task_id, b.task_id);
