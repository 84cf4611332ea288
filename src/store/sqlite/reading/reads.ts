import type { DatabaseSync } from "node:sqlite";
import type {
  Receipt,
  ReceiptPage,
  Snapshot,
} from "../../../runtime/ports/store.ts";
import type {
  DeliveryCounts,
  SwitchedOff,
} from "../../../runtime/ports/webhook-store.ts";
import {
  attentionReads,
  type DueQuery,
  type DueRow,
  type LiveQuery,
} from "../tables/attention.ts";
import { checkpointReads, type CheckpointBodies } from "./checkpoint-reads.ts";
import { changeReads, type ChangedRows } from "../tables/changes.ts";
import { environmentReads } from "../tables/environment.ts";
import { executorReads, type StoredExecutors } from "../tables/executors.ts";
import { importReads, type ImportQuery } from "./import-reads.ts";
import type { EventPage } from "./chain-reads.ts";
import { journalReads, type EventQuery } from "./journal-reads.ts";
import {
  messageStartReads,
  type MessageStartsPage,
  type MessageStartsQuery,
} from "./message-starts.ts";
import { neededReads, type NeededPage } from "../tables/needed.ts";
import { permissionReads, type PermissionRow } from "../tables/permissions.ts";
import { ownershipReads } from "../tables/ownership.ts";
import { promptReads, type PromptRow } from "../tables/prompts.ts";
import { receiptReads } from "../tables/receipts.ts";
import {
  sessionReads,
  type ListedSession,
  type StoredView,
} from "../tables/sessions.ts";
import type { SessionQuery } from "../tables/session-filter.ts";
import { snapshotReads, type Beginning } from "../tables/snapshots.ts";
import { sweepReads, type UnsweptRow } from "../tables/sweeps.ts";
import {
  taskJournalReads,
  type TaskEnd,
  type TaskEventQuery,
} from "./task-journal-reads.ts";
import {
  taskNewsReads,
  type NewsQuery,
  type NewsRow,
} from "../tables/task-news.ts";
import {
  taskReads,
  type DueTaskRow,
  type StoredTask,
  type TaskQuery,
} from "../tables/tasks.ts";
import {
  deliveryReads,
  type DeliveriesQuery,
  type DeliveryRow,
  type DueDeliveriesQuery,
  type NextEventQuery,
} from "../tables/webhooks/deliveries.ts";
import { switchedOffReads } from "../tables/webhooks/switched-off.ts";

/** In the place of an answer that rests on a row which is not what was written, and which can be made again. */
export type DamagedRow = "damaged row";

/** What the reading thread is asked. Events, sessions and executors cross as JSON, which is cheaper than objects. */
export interface Reads {
  term: { query: null; answer: number };
  beginning: {
    query: { session: string; version: number };
    answer: Beginning | DamagedRow | null;
  };
  line: {
    query: { session: string; version: number };
    answer: Snapshot | null;
  };
  events: { query: EventQuery; answer: EventPage | DamagedRow };
  importBehind: { query: ImportQuery; answer: string | null };
  messageStarts: {
    query: MessageStartsQuery;
    answer: MessageStartsPage | DamagedRow;
  };
  checkpoints: { query: string; answer: CheckpointBodies };
  needed: {
    query: { after: string | null; limit: number };
    answer: NeededPage;
  };
  neededPlace: { query: string; answer: string | null };
  session: { query: string; answer: StoredView | DamagedRow | null };
  sessions: { query: SessionQuery; answer: ListedSession[] };
  places: { query: null; answer: string[] };
  unswept: { query: null; answer: UnsweptRow[] };
  damaged: { query: number; answer: string[] };
  prompt: {
    query: { session: string; id: string };
    answer: PromptRow | DamagedRow | null;
  };
  permission: {
    query: { session: string; id: string };
    answer: PermissionRow | DamagedRow | null;
  };
  executors: { query: null; answer: StoredExecutors };
  live: { query: LiveQuery; answer: string[] };
  due: { query: DueQuery; answer: DueRow[] };
  env: { query: string; answer: string };
  changes: { query: { after: number; limit: number }; answer: ChangedRows };
  receiptsOf: { query: { key: string; after: string }; answer: ReceiptPage };
  races: { query: { after: string | null; limit: number }; answer: string[] };
  receipt: { query: { scope: string; key: string }; answer: Receipt | null };
  taskEnd: { query: string; answer: TaskEnd | null };
  taskEvents: { query: TaskEventQuery; answer: EventPage };
  task: { query: string; answer: StoredTask | null };
  taskByName: { query: string; answer: string | null };
  tasks: { query: TaskQuery; answer: StoredTask[] };
  liveTasks: { query: LiveQuery; answer: string[] };
  dueTasks: {
    query: { by: string; after: DueTaskRow | null; limit: number };
    answer: DueTaskRow[];
  };
  taskNews: { query: string; answer: NewsRow | null };
  allTaskNews: { query: NewsQuery; answer: NewsRow[] };
  dueDeliveries: { query: DueDeliveriesQuery; answer: DeliveryRow[] };
  nextDeliveryAt: {
    query: { channel: string; after: string };
    answer: string | null;
  };
  deliveries: { query: DeliveriesQuery; answer: DeliveryRow[] };
  deliveryCounts: { query: null; answer: DeliveryCounts[] };
  nextEventOf: { query: NextEventQuery; answer: number | null };
  switchedOff: { query: null; answer: SwitchedOff[] };
}

export const readsOf = (
  db: DatabaseSync,
): { [K in keyof Reads]: (query: Reads[K]["query"]) => Reads[K]["answer"] } => {
  const attention = attentionReads(db);
  const sessions = sessionReads(db);
  const tasks = taskReads(db);
  const needed = neededReads(db);
  const taskJournals = taskJournalReads(db);
  const news = taskNewsReads(db);
  const receipts = receiptReads(db);
  const deliveries = deliveryReads(db);
  return {
    term: ownershipReads(db).current,
    beginning: snapshotReads(db).beginning,
    line: snapshotReads(db, "lines").sound,
    events: journalReads(db).page,
    importBehind: importReads(db).behind,
    messageStarts: messageStartReads(db).before,
    checkpoints: checkpointReads(db).one,
    needed: needed.page,
    neededPlace: needed.placeOf,
    session: sessions.view,
    sessions: sessions.list,
    places: sessions.places,
    unswept: sweepReads(db).unswept,
    damaged: sessions.damaged,
    prompt: promptReads(db).one,
    permission: permissionReads(db).one,
    executors: executorReads(db).all,
    live: attention.live,
    due: attention.due,
    env: environmentReads(db).one,
    changes: changeReads(db).after,
    receiptsOf: receipts.withKey,
    races: receipts.races,
    receipt: receipts.one,
    taskEnd: taskJournals.end,
    taskEvents: taskJournals.page,
    task: tasks.one,
    taskByName: tasks.byName,
    tasks: tasks.list,
    liveTasks: tasks.live,
    dueTasks: tasks.due,
    taskNews: news.one,
    allTaskNews: news.all,
    dueDeliveries: deliveries.due,
    nextDeliveryAt: deliveries.nextAt,
    deliveries: deliveries.newest,
    deliveryCounts: deliveries.counts,
    nextEventOf: deliveries.nextEvent,
    switchedOff: switchedOffReads(db).all,
  };
};
