/** What is written about tasks. The term was checked before. */
import type { DatabaseSync } from "node:sqlite";
import { refuseName, refuseReceipt, type Refusal } from "../../refusal.ts";
import { changeWrites } from "../tables/changes.ts";
import { chained } from "../tables/events.ts";
import { receiptWrites } from "../tables/receipts.ts";
import type { TaskAppendRows } from "../tables/task-append.ts";
import { taskEventWrites } from "../tables/task-events.ts";
import { taskNewsWrites } from "../tables/task-news.ts";
import { taskWrites } from "../tables/tasks.ts";
import { deliveryWrites } from "../tables/webhooks/deliveries.ts";
import { taskEnds } from "./task-end.ts";

export interface TaskWrites {
  appendTask: { query: TaskAppendRows; answer: null };
  markTask: {
    query: { term: number; task: string; from: number | null };
    answer: null;
  };
  purgeTask: { query: { term: number; task: string }; answer: null };
  forgetTaskNews: {
    query: { term: number; session: string; up_to_seq: number };
    answer: null;
  };
}

export const taskWritesOf = (db: DatabaseSync) => {
  const ends = taskEnds(db);
  const tasks = taskWrites(db);
  const changes = changeWrites(db);
  const events = taskEventWrites(db);
  const news = taskNewsWrites(db);
  const receipts = receiptWrites(db);
  const deliveries = deliveryWrites(db);

  const deletions = [
    "DELETE FROM task_events WHERE task_id = ?",
    "DELETE FROM task_news WHERE task_id = ?",
    "DELETE FROM webhook_deliveries WHERE subject = ?",
    "DELETE FROM receipts WHERE scope = ?",
    "DELETE FROM tasks WHERE id = ?",
  ].map((sql) => db.prepare(sql));

  /** A key that was used comes before a name that is taken: who asks twice gets the first answer. */
  const refuse = ({ task, receipt }: TaskAppendRows): Refusal | null => {
    const { id, name } = task;
    return (
      (receipt === null
        ? null
        : refuseReceipt(receipt, receipts.isUsed(receipt))) ??
      (name === null ? null : refuseName(name, id, tasks.ownerOf(name)))
    );
  };

  return {
    append: (rows: TaskAppendRows): Refusal | null => {
      const { id } = rows.task;
      const place = ends.find(id, rows.after);
      if ("code" in place) return place;
      const refusal = refuse(rows);
      if (refusal !== null) return refusal;

      const added = chained(place.head, rows.events);
      const head = added.at(-1)?.chain ?? place.head;
      // The task comes first: its events refer to it.
      tasks.put({ ...rows.task, head, damaged_from: null });
      changes.task(id);
      for (const event of added) events.add(id, event);
      if (rows.receipt !== null) receipts.add(rows.receipt);
      deliveries.note(id, rows.outbox);
      return null;
    },
    mark: ({ task, from }: TaskWrites["markTask"]["query"]): void => {
      tasks.mark(task, from);
      changes.task(task);
    },
    purge: ({ task }: TaskWrites["purgeTask"]["query"]): void => {
      for (const deletion of deletions) deletion.run(task);
      changes.removed(task);
    },
    forgetNews: ({
      session,
      up_to_seq,
    }: TaskWrites["forgetTaskNews"]["query"]): void =>
      news.forget(session, up_to_seq),
  };
};
