/** A change of a task as rows. */
import type { Receipt } from "../../../runtime/ports/store.ts";
import type { TaskAppend } from "../../../runtime/ports/task-store.ts";
import type { OutboxEntry } from "../../../runtime/ports/webhook-store.ts";
import { nameHeld } from "../../refusal.ts";
import type { EventRow } from "./events.ts";
import type { TaskRow } from "./tasks.ts";

export interface TaskAppendRows {
  term: number;
  after: number;
  events: readonly EventRow[];
  /** What the writing thread adds follows from the journal. */
  task: Omit<TaskRow, "head" | "damaged_from">;
  receipt: Receipt | null;
  outbox: readonly OutboxEntry[];
}

export const taskRowsOf = ({
  place,
  task_id: id,
  after,
  events,
  view,
  is_live,
  due_at,
  receipt,
  outbox = [],
}: TaskAppend): TaskAppendRows => ({
  // One claim covers all places of a home.
  term: place.term,
  after,
  events: events.map((event) => ({
    seq: event.seq,
    type: event.type,
    at: event.at,
    body: JSON.stringify(event),
  })),
  task: {
    id,
    name: nameHeld(view),
    created_at: view.created_at,
    last_seq: after + events.length,
    view: JSON.stringify(view),
    is_live: Number(is_live),
    due_at,
  },
  receipt,
  outbox,
});
