/** What a store refuses, decided and worded once, so that every store refuses the same things. Null: nothing to object. */
import type { ProblemCode } from "../contract/problem/problem.ts";
import type { Task } from "../contract/task/task.ts";
import type { Append, Receipt } from "../runtime/ports/store.ts";
import type { TaskAppend } from "../runtime/ports/task-store.ts";

/** A refusal as a value: what a `RepriseError` is made of. */
export interface Refusal {
  code: ProblemCode;
  message: string;
  /** For `session_damaged` and `task_damaged`. */
  damaged_from?: number;
}

/** P4: only the writer that claimed last may write. */
export const refuseTerm = (mine: number, current: number): Refusal | null =>
  mine === current
    ? null
    : {
        code: "superseded",
        message: `Another server has taken over: this one writes with term ${mine}, the database is at term ${current}. Stop this server.`,
      };

/** P2: events go exactly behind the last one. Whoever decided earlier than that reads the journal and decides again. */
export const refuseSeq = (
  id: string,
  after: number,
  last: number,
): Refusal | null =>
  after === last
    ? null
    : {
        code: "moved_on",
        message: `${id} has moved on: the change was decided after event ${after}, the last one is ${last}.`,
      };

/** Nothing is added to a damaged journal: it could not be distinguished from what was there before. */
export const refuseDamaged = (session: string, from: number): Refusal => ({
  code: "session_damaged",
  message: `The journal of ${session} is damaged from event ${from} on: it is not what was written. What is before that event can be read, exported and forked; nothing can be added to this session.`,
  damaged_from: from,
});

export const refuseDamagedTask = (task: string, from: number): Refusal => ({
  code: "task_damaged",
  message: `The journal of ${task} is damaged from event ${from} on: it is not what was written. What is before that event can be read; nothing can be added to this task.`,
  damaged_from: from,
});

/** A name leads to one task. `owner`: the task that has it. */
/** The name that no other task can have: one in the trash holds none (TSK-35). */
export const nameHeld = ({ name, deleted_at }: Task): string | null =>
  deleted_at === undefined ? (name ?? null) : null;

export const refuseName = (
  name: string,
  task: string,
  owner: string | null,
): Refusal | null =>
  owner === null || owner === task
    ? null
    : {
        code: "task_exists",
        message: `The task ${owner} has the name ${name} already. Choose another name.`,
      };

/** P1: a key is answered once. Whoever loses a race for it reads the receipt that won. */
export const refuseReceipt = (
  receipt: Pick<Receipt, "scope" | "key">,
  used: boolean,
): Refusal | null =>
  used
    ? {
        code: "idempotency_conflict",
        message: `The idempotency key ${receipt.key} has already been answered in ${receipt.scope}.`,
      }
    : null;

/** A journal that came from elsewhere may name what is another session's here. */
export const refuseForeign = (
  prompt: string,
  session: string,
  owner: string | null,
): Refusal | null =>
  owner === null || owner === session
    ? null
    : {
        code: "unsafe_archive",
        message: `${prompt} is a prompt of ${owner}, which is another session here: this is not the journal of ${session} as it was exported. The session was not taken in. Export it again.`,
      };

/** P2 again, from the inside: a caller that numbers its own events wrongly is broken, whatever the database holds. */
export const refuseNumbers = ({
  session_id,
  after,
  events,
}: Append): Refusal | null => {
  const wrong = events.find(
    (event, index) =>
      event.seq !== after + 1 + index || event.session_id !== session_id,
  );
  return wrong === undefined
    ? null
    : misplaced(wrong.seq, wrong.session_id, session_id, after);
};

export const refuseTaskNumbers = ({
  task_id,
  after,
  events,
}: TaskAppend): Refusal | null => {
  const wrong = events.find(
    (event, index) =>
      event.seq !== after + 1 + index || event.task_id !== task_id,
  );
  return wrong === undefined
    ? null
    : misplaced(wrong.seq, wrong.task_id, task_id, after);
};

const misplaced = (
  seq: number,
  owner: string,
  id: string,
  after: number,
): Refusal => ({
  code: "internal",
  message: `Event ${seq} of ${owner} has no place in a change of ${id} after event ${after}.`,
});
