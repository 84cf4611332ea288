/** What changed in the home, by a number that grows with every change. */
import type { DatabaseSync } from "node:sqlite";
import type { Lookup } from "../../lookup.ts";
import { number, text } from "../base/row.ts";
import { storedViewOf, type StoredView } from "./sessions.ts";
import { sessionColumns } from "./session-row.ts";

/** So many removals are remembered: the newest. */
export const MAX_REMOVED = 10_000;

export const changeWrites = (db: DatabaseSync, maxRemoved = MAX_REMOVED) => {
  const next = db.prepare(
    "UPDATE changes SET last = last + 1 RETURNING last AS changed",
  );
  const put = db.prepare(`
    UPDATE sessions SET agent = ?, name = ?, resume_token = ?, parent = ?, needs_you = ?, changed = ? WHERE id = ?`);
  const touch = db.prepare("UPDATE sessions SET changed = ? WHERE id = ?");
  const touchTask = db.prepare("UPDATE tasks SET changed = ? WHERE id = ?");
  const remove = db.prepare("INSERT INTO removed (changed, id) VALUES (?, ?)");
  const tooOld = db.prepare(
    "SELECT changed FROM removed ORDER BY changed DESC LIMIT 1 OFFSET ?",
  );
  const forget = db.prepare("DELETE FROM removed WHERE changed <= ?");
  const note = db.prepare("UPDATE changes SET forgotten = ?");
  const taken = (): number => number(next.get() ?? {}, "changed");
  return {
    session: (
      id: string,
      { agent, name, resume_token, parent, needs_you }: Lookup,
    ): void => {
      put.run(
        agent,
        name,
        resume_token,
        parent,
        Number(needs_you),
        taken(),
        id,
      );
    },
    /** What it is looked up by is the same as before. */
    touched: (id: string): void => {
      touch.run(taken(), id);
    },
    task: (id: string): void => {
      touchTask.run(taken(), id);
    },
    /** A session or a task: its id says which. */
    removed: (id: string): void => {
      remove.run(taken(), id);
      const row = tooOld.get(maxRemoved);
      if (row === undefined) return;
      const changed = number(row, "changed");
      forget.run(changed);
      note.run(changed);
    },
  };
};

export type ChangedRow = { changed: number; id: string } & (
  | {
      kind: "session";
      /** Null where the row is not what was written. */
      stored: StoredView | null;
    }
  | { kind: "task" | "removed" }
);

export interface ChangedRows {
  /** The number of the newest change. */
  last: number;
  /** Removals up to this number may be missing. */
  forgotten: number;
  rows: ChangedRow[];
}

/** Up to a number that was read before: what is committed meanwhile has a higher one. */
const BETWEEN = "WHERE changed > ? AND changed <= ? ORDER BY changed LIMIT ?";
export const CHANGED_SESSIONS = `SELECT changed, ${sessionColumns.join(", ")} FROM sessions ${BETWEEN}`;
export const CHANGED_TASKS = `SELECT changed, id FROM tasks ${BETWEEN}`;
export const REMOVED = `SELECT changed, id FROM removed ${BETWEEN}`;

export const changeReads = (db: DatabaseSync) => {
  const end = db.prepare("SELECT last, forgotten FROM changes");
  const sessions = db.prepare(CHANGED_SESSIONS);
  const tasks = db.prepare(CHANGED_TASKS);
  const removed = db.prepare(REMOVED);
  return {
    after: (query: { after: number; limit: number }): ChangedRows => {
      const row = end.get() ?? {};
      const last = number(row, "last");
      const asked = [query.after, last, query.limit] as const;
      const rows: ChangedRow[] = [
        ...sessions.all(...asked).map((each) => ({
          kind: "session" as const,
          changed: number(each, "changed"),
          id: text(each, "id"),
          stored: storedViewOf(each),
        })),
        ...[
          { kind: "task" as const, found: tasks.all(...asked) },
          { kind: "removed" as const, found: removed.all(...asked) },
        ].flatMap(({ kind, found }) =>
          found.map((each) => ({
            kind,
            changed: number(each, "changed"),
            id: text(each, "id"),
          })),
        ),
      ];
      return {
        last,
        forgotten: number(row, "forgotten"),
        rows: rows
          .toSorted((a, b) => a.changed - b.changed)
          .slice(0, query.limit),
      };
    },
  };
};
