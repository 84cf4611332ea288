import type { DatabaseSync } from "node:sqlite";
import { eventJson } from "../../contract/event-json.ts";
import type { SessionId } from "../../contract/id.ts";
import type {
  Append,
  PromptChange,
  Receipt,
  Snapshot,
  TaskRecord,
} from "../../runtime/ports.ts";
import {
  refuseForeign,
  refuseReceipt,
  refuseSeq,
  refuseTerm,
  type Refusal,
} from "../refusal.ts";
import { environmentWrites } from "./environment.ts";
import { eventWrites, type EventRow } from "./events.ts";
import {
  executorRowOf,
  executorWrites,
  type ExecutorRow,
} from "./executors.ts";
import { ownershipWrites } from "./ownership.ts";
import { promptWrites } from "./prompts.ts";
import { purgeWrites } from "./purge.ts";
import { receiptWrites } from "./receipts.ts";
import { sessionWrites, type SessionRow } from "./sessions.ts";
import { snapshotWrites } from "./snapshots.ts";
import { taskWrites } from "./tasks.ts";

/** An append as rows: made of strings on the main thread, which crosses faster than objects do. */
export interface AppendRows {
  term: number;
  after: number;
  session: SessionRow;
  events: readonly EventRow[];
  executor: ExecutorRow | null;
  prompts: readonly PromptChange[];
  snapshot: Snapshot | null;
  receipt: Receipt | null;
  env: string | null;
}

export interface TaskRows {
  term: number;
  task: TaskRecord;
  receipt: Receipt | null;
}

/** What the writing thread is asked. */
export interface Writes {
  claim: { query: number; answer: number };
  append: { query: AppendRows; answer: null };
  createTask: { query: TaskRows; answer: null };
  purge: { query: { term: number; session: SessionId }; answer: null };
}

export const rowsOf = (change: Append): AppendRows => {
  const { view } = change;
  return {
    term: change.term,
    after: change.after,
    session: {
      id: change.session_id,
      task_id: view.task_id,
      cwd: view.cwd,
      state: view.state,
      deleted_at: view.deleted_at,
      last_active_at: view.last_active_at,
      last_seq: change.after + change.events.length,
      view: JSON.stringify(view),
    },
    events: change.events.map((event) => ({
      seq: event.seq,
      type: event.type,
      at: event.at,
      body: eventJson(event),
    })),
    executor: change.executor === null ? null : executorRowOf(change.executor),
    prompts: change.prompts,
    snapshot: change.snapshot,
    receipt: change.receipt,
    env: change.env === null ? null : JSON.stringify(change.env),
  };
};

/**
 * The writes, to be made inside a transaction. A refusal is returned and found before the first row is written, so it
 * leaves no trace in the transaction; whatever is thrown is an accident and spoils it.
 */
export const writesOf = (db: DatabaseSync) => {
  const ownership = ownershipWrites(db);
  const sessions = sessionWrites(db);
  const events = eventWrites(db);
  const executors = executorWrites(db);
  const prompts = promptWrites(db);
  const snapshots = snapshotWrites(db);
  const environment = environmentWrites(db);
  const receipts = receiptWrites(db);
  const tasks = taskWrites(db);
  const purge = purgeWrites(db);

  const refuseUsed = (receipt: Receipt | null): Refusal | null =>
    receipt === null ? null : refuseReceipt(receipt, receipts.isUsed(receipt));

  const refuseOthers = (rows: AppendRows): Refusal | null =>
    rows.prompts
      .filter(({ text }) => text !== undefined)
      .map(({ id }) => refuseForeign(id, rows.session.id, prompts.ownerOf(id)))
      .find((refusal) => refusal !== null) ?? null;

  return {
    claim: (above: number): number => ownership.claim(above),

    append: (rows: AppendRows): Refusal | null => {
      const id: SessionId = rows.session.id;
      const refusal =
        refuseTerm(rows.term, ownership.current()) ??
        refuseSeq(id, rows.after, sessions.lastSeq(id)) ??
        refuseUsed(rows.receipt) ??
        refuseOthers(rows);
      if (refusal !== null) return refusal;

      sessions.put(rows.session);
      for (const event of rows.events) events.add(id, event);
      if (rows.executor !== null) executors.put(rows.executor);
      for (const change of rows.prompts) prompts.change(id, change);
      if (rows.snapshot !== null) snapshots.put(id, rows.snapshot);
      if (rows.env !== null) environment.put(id, rows.env);
      if (rows.receipt !== null) receipts.add(rows.receipt);
      return null;
    },

    purge: (query: { term: number; session: SessionId }): Refusal | null => {
      const refusal = refuseTerm(query.term, ownership.current());
      if (refusal === null) purge(query.session);
      return refusal;
    },

    createTask: ({ term, task, receipt }: TaskRows): Refusal | null => {
      const refusal =
        refuseTerm(term, ownership.current()) ?? refuseUsed(receipt);
      if (refusal !== null) return refusal;

      tasks.add(task);
      if (receipt !== null) receipts.add(receipt);
      return null;
    },
  };
};
