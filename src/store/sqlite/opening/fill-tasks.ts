/** The journals of tasks of an older release, which knew of a task what it is called and what it asks for. */
import type { DatabaseSync } from "node:sqlite";
import { LOCAL } from "../../../contract/base/place-key.ts";
import type { NewTaskEvent } from "../../../contract/task/task-event.ts";
import { newTask, NO_RETRY } from "../../../contract/task/new-task.ts";
import { chainStart } from "../../checksum.ts";
import { unlessDamaged } from "../base/failure.ts";
import { isSound, number, plain, text, type Row } from "../base/row.ts";
import { chained } from "../tables/events.ts";
import { taskEventWrites } from "../tables/task-events.ts";
import { taskNewsWrites, type NewsRow } from "../tables/task-news.ts";
import { taskWrites } from "../tables/tasks.ts";
import type { Fill, LastFill } from "./fill.ts";

/** The columns of the checksum before this migration, in their order. */
const before = ["id", "title", "description", "created_at"];

/**
 * Of a row that is damaged there is no journal to be made: what it says was not written so. It is shown as it is, and its
 * first event is marked as damaged.
 */
export const fillTasks: Fill = (db) => {
  const one = db.prepare("SELECT * FROM older_tasks WHERE id = ?");
  const tasks = taskWrites(db);
  const events = taskEventWrites(db);
  const news = taskNewsWrites(db);
  const untold = untoldReads(db);
  return (id) => {
    const row = one.get(id);
    if (row === undefined) return null;
    const task = olderTask(id, row);
    if (!isSound(row, before))
      return () => tasks.put({ ...task.row, head: "", damaged_from: 1 });
    const [first] = chained(chainStart(id), [task.event]);
    if (first === undefined) return null;
    const told = untold(id);
    return () => {
      tasks.put({ ...task.row, head: first.chain, damaged_from: null });
      events.add(id, first);
      for (const each of told) news.put(each);
    };
  };
};

/** Removes the table that they come from. Where a row of it could not be read, all of it stays for whoever repairs it. */
export const dropOlderTasks: LastFill = (db) => {
  const left = unlessDamaged(() =>
    db
      .prepare(
        "SELECT id FROM older_tasks WHERE id NOT IN (SELECT id FROM tasks) LIMIT 1",
      )
      .all(),
  );
  return left?.length === 0 ? () => db.exec("DROP TABLE older_tasks") : null;
};

/** Everything in the sessions of a task is news to it. */
const untoldReads = (db: DatabaseSync) => {
  const ofTask = db.prepare(
    "SELECT id, last_seq FROM sessions WHERE task_id = ?",
  );
  const newsIn = (task_id: string, row: Row): NewsRow | null =>
    unlessDamaged(() => ({
      session_id: text(row, "id"),
      task_id,
      from_seq: 1,
      to_seq: number(row, "last_seq"),
    }));
  return (task: string): NewsRow[] =>
    (unlessDamaged(() => ofTask.all(task)) ?? [])
      .map((row) => newsIn(task, row))
      .filter((row) => row !== null);
};

const olderTask = (id: string, row: Row) => {
  const field = (name: string): string => String(plain(row, name) ?? "");
  const [title, description] = [field("title"), field("description")];
  const at = field("created_at");
  const created = {
    type: "task.created",
    data: {
      title,
      description,
      session: {},
      retry: NO_RETRY,
      timeout_minutes: null,
      name: null,
      place: LOCAL,
    },
  } satisfies NewTaskEvent;
  const { type, data } = created;
  const view = newTask({ id, title, description, created_at: at });
  const body = JSON.stringify({ seq: 1, type, at, task_id: id, data });
  return {
    event: { seq: 1, type, at, body },
    row: {
      id,
      name: null,
      created_at: at,
      last_seq: 1,
      view: JSON.stringify(view),
      is_live: 0,
      due_at: null,
    },
  };
};
