import type { DatabaseSync } from "node:sqlite";
import type { Receipt } from "../../../runtime/ports/store.ts";
import type { Position } from "../../cursor.ts";
import {
  attentionReads,
  type DueQuery,
  type DueRow,
  type LiveQuery,
} from "../tables/attention.ts";
import { checkpointReads, type ToldCheckpoints } from "./checkpoint-reads.ts";
import { environmentReads } from "../tables/environment.ts";
import { executorReads, type StoredExecutors } from "../tables/executors.ts";
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
import { taskReads, type TaskRow } from "../tables/tasks.ts";

/** In the place of an answer that rests on a row which is not what was written, and which can be made again. */
export type DamagedRow = "damaged row";

/** What the reading thread is asked. Events, sessions and executors cross as JSON, which is cheaper than objects. */
export interface Reads {
  term: { query: null; answer: number };
  beginning: {
    query: { session: string; version: number };
    answer: Beginning | DamagedRow | null;
  };
  events: { query: EventQuery; answer: EventPage | DamagedRow };
  messageStarts: {
    query: MessageStartsQuery;
    answer: MessageStartsPage | DamagedRow;
  };
  checkpoints: { query: string; answer: ToldCheckpoints };
  needed: {
    query: { after: string | null; limit: number };
    answer: NeededPage;
  };
  session: { query: string; answer: StoredView | DamagedRow | null };
  sessions: { query: SessionQuery; answer: ListedSession[] };
  places: { query: null; answer: string[] };
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
  receipt: { query: { scope: string; key: string }; answer: Receipt | null };
  task: { query: string; answer: TaskRow | null };
  tasks: {
    query: { limit: number; from: Position | null };
    answer: TaskRow[];
  };
}

export const readsOf = (
  db: DatabaseSync,
): { [K in keyof Reads]: (query: Reads[K]["query"]) => Reads[K]["answer"] } => {
  const attention = attentionReads(db);
  const sessions = sessionReads(db);
  const tasks = taskReads(db);
  return {
    term: ownershipReads(db).current,
    beginning: snapshotReads(db).beginning,
    events: journalReads(db).page,
    messageStarts: messageStartReads(db).before,
    checkpoints: checkpointReads(db).one,
    needed: neededReads(db).page,
    session: sessions.view,
    sessions: sessions.list,
    places: sessions.places,
    damaged: sessions.damaged,
    prompt: promptReads(db).one,
    permission: permissionReads(db).one,
    executors: executorReads(db).all,
    live: attention.live,
    due: attention.due,
    env: environmentReads(db).one,
    receipt: receiptReads(db).one,
    task: tasks.one,
    tasks: tasks.list,
  };
};
