import type { DatabaseSync } from "node:sqlite";
import type {
  Attention,
  Receipt,
  Snapshot,
} from "../../../runtime/ports/store.ts";
import {
  refuseForeign,
  refuseReceipt,
  refuseTerm,
  type Refusal,
} from "../../refusal.ts";
import type { AppendRows } from "../tables/append.ts";
import { attentionWrites } from "../tables/attention.ts";
import { changeWrites } from "../tables/changes.ts";
import { damageWrites, type DamageWrites } from "./damage-writes.ts";
import { environmentWrites } from "../tables/environment.ts";
import { chained, CHECKPOINT_TYPES, eventWrites } from "../tables/events.ts";
import { executorWrites } from "../tables/executors.ts";
import { journalEnds } from "../tables/journal-end.ts";
import { neededWrites } from "../tables/needed.ts";
import { ownershipWrites } from "../tables/ownership.ts";
import { permissionWrites } from "../tables/permissions.ts";
import { promptWrites } from "../tables/prompts.ts";
import { purgeWrites } from "../tables/purge.ts";
import { receiptWrites } from "../tables/receipts.ts";
import { sessionWrites } from "../tables/sessions.ts";
import { snapshotWrites } from "../tables/snapshots.ts";
import { sweepWrites } from "../tables/sweeps.ts";
import { taskNewsWrites } from "../tables/task-news.ts";
import { deliveryWrites } from "../tables/webhooks/deliveries.ts";
import { taskWritesOf, type TaskWrites } from "./task-writes.ts";
import { webhookWritesOf, type WebhookWrites } from "./webhook-writes.ts";

interface ReceiptQuery {
  term: number;
  receipt: Receipt;
}

/** What the writing thread is asked. */
export interface Writes extends DamageWrites, TaskWrites, WebhookWrites {
  claim: { query: number; answer: number };
  append: { query: AppendRows; answer: null };
  putReceipt: { query: ReceiptQuery; answer: null };
  addReceipt: { query: ReceiptQuery & { kept: number }; answer: null };
  purge: { query: PurgeQuery; answer: null };
  noteSwept: { query: SweptQuery; answer: null };
  attend: { query: AttendQuery; answer: null };
  saveLine: { query: LineQuery; answer: null };
}

export interface PurgeQuery {
  term: number;
  /** The key of the place that the session belongs to. */
  place: string;
  session: string;
}

export interface SweptQuery {
  term: number;
  place: string;
  purges: number;
}

export interface LineQuery {
  term: number;
  session: string;
  line: Snapshot;
}

export interface AttendQuery {
  term: number;
  session: string;
  last_seq: number;
  attention: Attention;
}

/**
 * The writes, to be made inside a transaction. A refusal is returned and found before the first row is written, so it
 * leaves no trace in the transaction; whatever is thrown is an accident and spoils it.
 */
export const writesOf = (db: DatabaseSync) => {
  const ownership = ownershipWrites(db);
  const ends = journalEnds(db);
  const sessions = sessionWrites(db);
  const changes = changeWrites(db);
  const events = eventWrites(db);
  const needed = neededWrites(db);
  const executors = executorWrites(db);
  const attention = attentionWrites(db);
  const prompts = promptWrites(db);
  const permissions = permissionWrites(db);
  const snapshots = snapshotWrites(db);
  const lines = snapshotWrites(db, "lines");
  const environment = environmentWrites(db);
  const receipts = receiptWrites(db);
  const tasks = taskWritesOf(db);
  const news = taskNewsWrites(db);
  const deliveries = deliveryWrites(db);
  const changeWebhooks = webhookWritesOf(db);
  const purge = purgeWrites(db);
  const sweeps = sweepWrites(db);
  const damage = damageWrites(db);

  const refuseUsed = (receipt: Receipt | null): Refusal | null =>
    receipt === null ? null : refuseReceipt(receipt, receipts.isUsed(receipt));

  const refuseOthers = (rows: AppendRows): Refusal | null =>
    rows.prompts
      .filter(({ seq }) => seq !== undefined)
      .map(({ id }) => refuseForeign(id, rows.session.id, prompts.ownerOf(id)))
      .find((refusal) => refusal !== null) ?? null;

  const fenced = (term: number): Refusal | null =>
    refuseTerm(term, ownership.current());

  return {
    claim: (above: number): number => ownership.claim(above),

    append: (rows: AppendRows): Refusal | null => {
      const { id } = rows.session;
      const superseded = fenced(rows.term);
      if (superseded !== null) return superseded;
      const place = ends.find(id, rows.after);
      if ("code" in place) return place;
      const refusal = refuseUsed(rows.receipt) ?? refuseOthers(rows);
      if (refusal !== null) return refusal;

      const added = chained(place.head, rows.events);
      const head = added.at(-1)?.chain ?? place.head;
      const checkpoints = added.filter(({ type }) =>
        CHECKPOINT_TYPES.has(type),
      );
      const isSameWish = place.last_wish_at === rows.session.last_wish_at;
      const write = isSameWish ? "changeBesidesWish" : place.row;
      // The session comes first: everything else refers to it.
      sessions[write]({
        ...rows.session,
        head,
        checkpoints: place.checkpoints + checkpoints.length,
        damaged_from: null,
      });
      if (!rows.quiet || place.row !== "change")
        changes.session(id, rows.lookup);
      for (const event of added) events.add(id, event);
      for (const row of rows.checkpoints) needed.put(id, row);
      if (rows.executor !== null) executors.put(rows.executor);
      if (rows.attention !== null) attention.put(id, rows.attention);
      for (const change of rows.prompts) prompts.change(id, change);
      for (const change of rows.permissions) permissions.change(id, change);
      if (rows.snapshot !== null) snapshots.put(id, rows.snapshot, head);
      if (rows.env !== null) environment.put(id, rows.env);
      if (rows.receipt !== null) receipts.add(rows.receipt);
      const { task_id, last_seq } = rows.session;
      if (rows.news && task_id !== null)
        news.put({
          session_id: id,
          task_id,
          from_seq: rows.after + 1,
          to_seq: last_seq,
        });
      deliveries.note(id, rows.outbox);
      return null;
    },

    putReceipt: ({ term, receipt }: ReceiptQuery): Refusal | null => {
      const refusal = fenced(term);
      if (refusal === null) receipts.put(receipt);
      return refusal;
    },

    addReceipt: ({
      term,
      receipt,
      kept,
    }: ReceiptQuery & { kept: number }): Refusal | null => {
      const refusal = fenced(term);
      if (refusal === null) receipts.addFirst(receipt, kept);
      return refusal;
    },

    purge: ({ term, place, session }: PurgeQuery): Refusal | null => {
      const refusal = fenced(term);
      if (refusal !== null) return refusal;
      purge(session);
      changes.removed(session);
      sweeps.purged(place);
      return null;
    },

    noteSwept: ({ term, place, purges }: SweptQuery): Refusal | null => {
      const refusal = fenced(term);
      if (refusal === null) sweeps.swept(place, purges);
      return refusal;
    },

    attend: (query: AttendQuery): Refusal | null => {
      const refusal = fenced(query.term);
      if (refusal !== null) return refusal;
      const { session, last_seq } = query;
      if (sessions.end(session)?.last_seq === last_seq)
        attention.put(session, query.attention);
      return null;
    },

    saveLine: ({ term, session, line }: LineQuery): Refusal | null => {
      const refusal = fenced(term);
      if (refusal !== null) return refusal;
      // A session that was purged meanwhile has none.
      const head = events.chainAt(session, line.seq);
      if (head !== null) lines.put(session, line, head);
      return null;
    },

    appendTask: (rows: TaskWrites["appendTask"]["query"]): Refusal | null =>
      fenced(rows.term) ?? tasks.append(rows),

    markTask: (query: TaskWrites["markTask"]["query"]): Refusal | null => {
      const refusal = fenced(query.term);
      if (refusal === null) tasks.mark(query);
      return refusal;
    },

    purgeTask: (query: TaskWrites["purgeTask"]["query"]): Refusal | null => {
      const refusal = fenced(query.term);
      if (refusal === null) tasks.purge(query);
      return refusal;
    },

    forgetTaskNews: (
      query: TaskWrites["forgetTaskNews"]["query"],
    ): Refusal | null => {
      const refusal = fenced(query.term);
      if (refusal === null) tasks.forgetNews(query);
      return refusal;
    },

    changeWebhooks: ({
      term,
      change,
    }: WebhookWrites["changeWebhooks"]["query"]): Refusal | null => {
      const refusal = fenced(term);
      if (refusal === null) changeWebhooks(change);
      return refusal;
    },

    derive: (query: DamageWrites["derive"]["query"]): Refusal | null => {
      const refusal = fenced(query.term);
      if (refusal === null) damage.derive(query);
      return refusal;
    },

    mark: (query: DamageWrites["mark"]["query"]): Refusal | null => {
      const refusal = fenced(query.term);
      if (refusal === null) damage.mark(query);
      return refusal;
    },

    trash: (query: DamageWrites["trash"]["query"]): Refusal | null => {
      const refusal = fenced(query.term);
      if (refusal === null) damage.trash(query);
      return refusal;
    },
  };
};
