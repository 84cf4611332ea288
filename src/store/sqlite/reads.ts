import type { DatabaseSync } from "node:sqlite";
import type { PromptId, SessionId, TaskId } from "../../contract/id.ts";
import type { MessageStarts, Receipt } from "../../runtime/ports.ts";
import type { Position } from "../cursor.ts";
import { environmentReads } from "./environment.ts";
import { eventReads, type EventPage } from "./events.ts";
import { executorReads } from "./executors.ts";
import {
  messageStartReads,
  type MessageStartsQuery,
} from "./message-starts.ts";
import { promptReads, type PromptRow } from "./prompts.ts";
import { receiptReads } from "./receipts.ts";
import {
  sessionReads,
  type ListedSession,
  type SessionQuery,
} from "./sessions.ts";
import { snapshotReads, type Beginning } from "./snapshots.ts";
import { taskReads, type TaskRow } from "./tasks.ts";

/** What the reading thread is asked. Events, sessions and executors cross as JSON, which is cheaper than objects. */
export interface Reads {
  beginning: {
    query: { session: SessionId; version: number };
    answer: Beginning | null;
  };
  events: {
    query: { session: SessionId; after: number; limit: number };
    answer: EventPage;
  };
  messageStarts: { query: MessageStartsQuery; answer: MessageStarts };
  checkpoints: { query: SessionId | null; answer: string[] };
  session: { query: SessionId; answer: string | null };
  sessions: { query: SessionQuery; answer: ListedSession[] };
  prompt: {
    query: { session: SessionId; id: PromptId };
    answer: PromptRow | null;
  };
  executors: { query: null; answer: string[] };
  env: { query: SessionId; answer: string };
  receipt: { query: { scope: string; key: string }; answer: Receipt | null };
  task: { query: TaskId; answer: TaskRow | null };
  tasks: {
    query: { limit: number; from: Position | null };
    answer: TaskRow[];
  };
}

export const readsOf = (
  db: DatabaseSync,
): { [K in keyof Reads]: (query: Reads[K]["query"]) => Reads[K]["answer"] } => {
  const events = eventReads(db);
  const sessions = sessionReads(db);
  const tasks = taskReads(db);
  return {
    beginning: snapshotReads(db).beginning,
    events: events.page,
    messageStarts: messageStartReads(db).before,
    checkpoints: events.checkpoints,
    session: sessions.one,
    sessions: sessions.list,
    prompt: promptReads(db).one,
    executors: executorReads(db).all,
    env: environmentReads(db).one,
    receipt: receiptReads(db).one,
    task: tasks.one,
    tasks: tasks.list,
  };
};
