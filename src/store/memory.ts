/** The store of tests and of a server that keeps nothing: the rules of the port, no disk. */
import type { PromptId, SessionId, TaskId } from "../contract/base/id.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import type { Append, Receipt, Store } from "../runtime/ports/store.ts";
import { permissionFrom, promptFrom } from "./from-event.ts";
import {
  dueIn,
  executorsIn,
  liveIn,
  type MemoryRow,
  placeIn,
  placesIn,
  sessionsIn,
  startsIn,
} from "./memory-lists.ts";
import { memoryLines } from "./memory-lines.ts";
import { MemoryChanges } from "./memory-changes.ts";
import { type PromptRow, promptRowAfter } from "./memory-prompts.ts";
import { MemoryReceipts } from "./memory-receipts.ts";
import { withSnapshot } from "./memory-snapshots.ts";
import { MemorySweeps } from "./memory-sweeps.ts";
import { memoryTasks } from "./memory-tasks.ts";
import { memoryWebhooks } from "./memory-webhooks.ts";
import {
  refuseForeign,
  refuseNumbers,
  refuseReceipt,
  refuseSeq,
  refuseTerm,
  type Refusal,
} from "./refusal.ts";
import {
  isCheckpoint,
  neededBy,
  storedEnv,
  storedEvent,
  storedSession,
} from "./stored.ts";

export const memoryStore = (): Store => {
  let term = 0;
  let closed = false;
  const rows = new Map<SessionId, MemoryRow>();
  const prompts = new Map<PromptId, PromptRow>();
  const receipts = new MemoryReceipts();
  const sweeps = new MemorySweeps();
  const log = new MemoryChanges();

  const open = (): void => {
    if (closed)
      throw new RepriseError("storage_unavailable", "The store is closed.");
  };
  const refuse = (refusal: Refusal | null): void => {
    if (refusal !== null) throw new RepriseError(refusal.code, refusal.message);
  };
  const refuseUsed = (receipt: Receipt | null): void => {
    if (receipt !== null) refuse(refuseReceipt(receipt, receipts.has(receipt)));
  };
  const keep = (receipt: Receipt | null): void => {
    if (receipt !== null) receipts.put(receipt);
  };

  const webhooks = memoryWebhooks({
    open,
    refuse,
    term: () => term,
    eventsOf: async (subject) =>
      isTask(subject)
        ? tasks.store.taskEvents(subject, 0, Infinity)
        : readEvents(subject, 0, Infinity),
  });
  const lines = memoryLines({
    open,
    refuse: (writer) => refuse(refuseTerm(writer, term)),
    isThere: (session) => rows.has(session),
  });
  /** What is kept beside a session or a task that is gone. */
  const forget = (id: SessionId | TaskId): void => {
    webhooks.drop(id);
    receipts.drop(id);
  };
  const tasks = memoryTasks({
    open,
    refuse,
    term: () => term,
    note: webhooks.note,
    forget: (task) => {
      forget(task);
      log.taskRemoved(task);
    },
    refuseUsed,
    keep,
    nextChange: () => log.next(),
  });

  const readEvents = (session: SessionId, after: number, limit: number) =>
    (rows.get(session)?.events ?? [])
      .slice(after, after + limit)
      .map(storedEvent);

  const readCheckpoints = (session: SessionId) =>
    readEvents(session, 0, Infinity).filter(isCheckpoint);

  return {
    async claim(above = 0) {
      open();
      term = Math.max(term, above) + 1;
      return term;
    },

    async term() {
      open();
      return term;
    },

    // One synchronous stretch: everything is checked before anything is changed.
    async append(change: Append) {
      open();
      refuse(refuseNumbers(change));
      const { session_id } = change;
      const row = rows.get(session_id);
      refuse(refuseTerm(change.place.term, term));
      refuse(refuseSeq(session_id, change.after, row?.events.length ?? 0));
      refuseUsed(change.receipt);
      const changes = new Map<PromptId, PromptRow>();
      for (const one of change.prompts) {
        const before = changes.get(one.id) ?? prompts.get(one.id);
        const owner = before?.session_id ?? null;
        refuse(refuseForeign(one.id, session_id, owner));
        changes.set(one.id, promptRowAfter(session_id, one, before));
      }

      const asked = new Map(row?.permissions);
      for (const one of change.permissions) {
        const seq = one.seq ?? asked.get(one.id)?.seq;
        if (seq === undefined)
          throw new RepriseError("internal", `${one.id} was never asked.`);
        asked.set(one.id, { ...one, seq });
      }

      for (const [id, prompt] of changes) prompts.set(id, prompt);
      keep(change.receipt);
      const events = row?.events ?? [];
      for (const event of change.events) events.push(JSON.stringify(event));
      rows.set(session_id, {
        events,
        view: JSON.stringify(change.view),
        executor: change.executor
          ? JSON.stringify(change.executor)
          : (row?.executor ?? null),
        snapshots: withSnapshot(row?.snapshots, change.snapshot),
        attention: change.attention
          ? { ...change.attention }
          : (row?.attention ?? null),
        env: change.env ? JSON.stringify(change.env) : (row?.env ?? "{}"),
        permissions: asked,
        changed: log.numberOf(change, row),
      });
      tasks.tell(change);
      webhooks.note(session_id, change.outbox);
    },

    async load(session, version) {
      open();
      const row = rows.get(session);
      if (row === undefined) return null;
      const snapshot = row.snapshots.get(version);
      return {
        snapshot: snapshot === undefined ? null : { ...snapshot },
        last_seq: row.events.length,
      };
    },

    async messageStarts(session, before, limit) {
      open();
      const events = rows.get(session)?.events.slice(0, before - 1) ?? [];
      return startsIn(events, limit);
    },

    async events(session, after, limit) {
      open();
      return readEvents(session, after, limit);
    },

    async checkpoints(session) {
      open();
      return readCheckpoints(session);
    },

    async *needed() {
      open();
      for (const session_id of [...rows.keys()].toSorted()) {
        const place = placeIn(rows.get(session_id));
        const checkpoints = readCheckpoints(session_id).map((event) =>
          neededBy(event, place),
        );
        if (checkpoints.length > 0)
          yield { session_id, place, checkpoints, isIncomplete: false };
      }
    },

    async purge(place, session) {
      open();
      refuse(refuseTerm(place.term, term));
      rows.delete(session);
      lines.drop(session);
      log.sessionRemoved(session);
      sweeps.purged(place.key);
      tasks.drop(session);
      forget(session);
      for (const [id, { session_id }] of prompts)
        if (session_id === session) prompts.delete(id);
    },

    async unswept() {
      open();
      return sweeps.unswept();
    },

    async noteSwept(place, purges) {
      open();
      refuse(refuseTerm(place.term, term));
      sweeps.swept(place.key, purges);
    },

    // What is in memory is not damaged.
    onDamaged: () => undefined,
    async damaged() {
      open();
      return [];
    },
    async inspect() {
      open();
      return null;
    },
    async trashDamaged() {
      open();
    },

    async places() {
      open();
      return placesIn(rows.values());
    },

    async session(id) {
      open();
      const row = rows.get(id);
      return row === undefined ? null : storedSession(row.view);
    },

    async sessions(filter) {
      open();
      return sessionsIn(rows.values(), filter);
    },

    async prompt(session, id) {
      open();
      const prompt = prompts.get(id);
      if (prompt?.session_id !== session) return null;
      const [event] = readEvents(session, prompt.seq - 1, 1);
      return promptFrom(event, prompt);
    },

    async permission(session, id) {
      open();
      const row = rows.get(session)?.permissions.get(id);
      if (row === undefined) return null;
      const [event] = readEvents(session, row.seq - 1, 1);
      return permissionFrom(event, row);
    },

    async executors() {
      open();
      return executorsIn(rows.values());
    },

    async live(after, limit) {
      open();
      return liveIn(rows, after, limit);
    },

    async due(by, after, limit) {
      open();
      return dueIn(rows, by, after, limit);
    },

    async attend(place, session, last_seq, attention) {
      open();
      refuse(refuseTerm(place.term, term));
      const row = rows.get(session);
      if (row?.events.length === last_seq) row.attention = { ...attention };
    },

    async env(session) {
      open();
      return storedEnv(rows.get(session)?.env ?? "{}");
    },

    async changes(after, limit) {
      open();
      return log.after({ after, limit }, rows.values(), tasks.changed());
    },

    async receiptsOf(key, after) {
      open();
      return receipts.withKey(key, after);
    },

    async races(after, limit) {
      open();
      return receipts.races(after, limit);
    },

    async receipt(scope, key) {
      open();
      return receipts.find(scope, key);
    },

    async putReceipt(writer, receipt) {
      open();
      refuse(refuseTerm(writer, term));
      keep(receipt);
    },

    async addReceipt(writer, receipt, kept) {
      open();
      refuse(refuseTerm(writer, term));
      receipts.add(receipt, kept);
    },

    ...lines.store,
    ...tasks.store,
    ...webhooks.store,

    async close() {
      closed = true;
    },
  };
};

const isTask = (id: SessionId | TaskId): id is TaskId => id.startsWith("tsk_");
