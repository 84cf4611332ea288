import type { DatabaseSync } from "node:sqlite";
import { text } from "../base/row.ts";
import type { ChainedRow } from "./events.ts";

export const taskEventWrites = (db: DatabaseSync) => {
  const insert = db.prepare(
    "INSERT INTO task_events (task_id, seq, type, at, body, chain) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const chain = db.prepare(
    "SELECT chain FROM task_events WHERE task_id = ? AND seq = ?",
  );
  return {
    add: (task: string, { seq, type, at, body, chain }: ChainedRow): void => {
      insert.run(task, seq, type, at, body, chain);
    },
    chainAt: (task: string, seq: number): string | null => {
      const row = chain.get(task, seq);
      return row === undefined ? null : text(row, "chain");
    },
    ...taskEventReads(db),
  };
};

export const taskEventReads = (db: DatabaseSync) => {
  const newest = db.prepare(
    "SELECT seq FROM task_events WHERE task_id = ? ORDER BY seq DESC LIMIT 1",
  );
  return {
    /** 0 where there is none. */
    lastSeq: (task: string): number => Number(newest.get(task)?.["seq"] ?? 0),
  };
};
