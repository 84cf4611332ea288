/** The journals of tasks. */
import type { DatabaseSync } from "node:sqlite";
import { taskEventReads } from "../tables/task-events.ts";
import { taskReads } from "../tables/tasks.ts";
import { chainReads, noEvents, type EventPage } from "./chain-reads.ts";

export interface TaskEventQuery {
  task: string;
  after: number;
  limit: number;
  /** Reads on where the row says that there is damage. */
  ignoreMark?: boolean;
}

export interface TaskEnd {
  last_seq: number;
  damaged_from: number | null;
}

/** The events of one task, each with the chain up to it. */
export const taskChainReads = (db: DatabaseSync) =>
  chainReads(db, {
    chain: "SELECT chain FROM task_events WHERE task_id = ? AND seq = ?",
    following: `
      SELECT seq, chain, body FROM task_events
      WHERE task_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
  });

/** A row that is damaged says nothing about the journal: then the events tell where it ends. */
export const taskJournalReads = (db: DatabaseSync) => {
  const tasks = taskReads(db);
  const events = taskEventReads(db);
  const chain = taskChainReads(db);

  return {
    end: (task: string): TaskEnd | null => {
      const row = tasks.row(task);
      if (row !== "damaged row") return row;
      const last_seq = events.lastSeq(task);
      return { last_seq, damaged_from: last_seq === 0 ? 1 : null };
    },

    page: ({ task: id, ...query }: TaskEventQuery): EventPage => {
      const row = tasks.row(id);
      if (row === null) return noEvents;
      if (row !== "damaged row") return chain.page({ id, ...query }, row);
      const page = chain.withoutRow({ id, ...query });
      // Every task has a first event.
      const isLost = query.after === 0 && page.bodies.length === 0;
      return isLost ? { ...page, damage: { from: 1, isMarked: false } } : page;
    },
  };
};
