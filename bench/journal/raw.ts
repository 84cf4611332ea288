/** The floor: events into one table with nothing around it. */
import { DatabaseSync } from "node:sqlite";
import {
  said,
  sessionId,
} from "../../src/store/fixtures/conformance/sample.ts";

export interface RawJournal {
  /** Events per second when so many share each commit. */
  batchedRate(events: number, batch: number): number;
  /** Milliseconds of a commit of one event. */
  commitTime(): number;
  close(): void;
}

type Row = [id: string, seq: number, type: string, at: string, body: string];

export const openRawJournal = (path: string): RawJournal => {
  const db = new DatabaseSync(path);
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE events (
      session_id TEXT NOT NULL, seq INTEGER NOT NULL, type TEXT NOT NULL, at TEXT NOT NULL, body TEXT NOT NULL,
      PRIMARY KEY (session_id, seq)
    )`);
  const insert = db.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?)");
  let count = 0;
  /** Made before the clock runs: the floor is the database alone. */
  const rows = (events: number): Row[] =>
    Array.from({ length: events }, () => {
      const id = sessionId(count % 64);
      const event = said(id, 1 + Math.floor(count / 64));
      count += 1;
      return [id, event.seq, event.type, event.at, JSON.stringify(event)];
    });
  const commit = (batch: readonly Row[]): void => {
    db.exec("BEGIN IMMEDIATE");
    for (const row of batch) insert.run(...row);
    db.exec("COMMIT");
  };
  return {
    batchedRate: (events, batch) => {
      const batches = Array.from({ length: events / batch }, () => rows(batch));
      const start = performance.now();
      batches.forEach(commit);
      return events / ((performance.now() - start) / 1000);
    },
    commitTime: () => {
      const row = rows(1);
      const start = performance.now();
      commit(row);
      return performance.now() - start;
    },
    close: () => db.close(),
  };
};
