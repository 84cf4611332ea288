/**
 * Makes what a migration adds for each session, or each task, that is here already: once, before anything is read or added.
 *
 *   a page of ids ─► each: read what its rows follow from ─► one transaction: the rows, and how far it is
 *
 * A server that is killed meanwhile goes on where it was. Nothing is read inside a transaction: once SQLite has met a
 * damaged page in one, it writes nothing more. So what cannot be read is passed over, and the others go on.
 */
import type { DatabaseSync } from "node:sqlite";
import { unlessDamaged } from "../base/failure.ts";
import { text } from "../base/row.ts";
import { transactionsOf } from "../base/transaction.ts";

/** Reads what the rows of one follow from. What it returns writes them; null where there is nothing to write. */
export type Fill = (db: DatabaseSync) => (id: string) => (() => void) | null;

/** Reads whether something is to be done when all are filled. What it returns does it. */
export type LastFill = (db: DatabaseSync) => (() => void) | null;

export interface Filling {
  /** Whose ids are gone through. */
  table: "sessions" | "older_tasks";
  fill: Fill;
  last?: LastFill;
}

const PAGE = 500;

/** `fills` are by the names of their migrations. `afterPage` is called between transactions. */
export const fillOlder = (
  db: DatabaseSync,
  fills: Readonly<Record<string, Filling>>,
  afterPage: () => void,
): void => {
  const pending = db
    .prepare("SELECT migration, after_id FROM unfilled ORDER BY migration")
    .all();
  for (const row of pending) {
    const migration = text(row, "migration");
    const filling = fills[migration];
    if (filling === undefined) continue;
    const from = text(row, "after_id");
    fillOne(db, { migration, from, ...filling }, afterPage);
  }
};

const fillOne = (
  db: DatabaseSync,
  {
    migration,
    from,
    table,
    fill,
    last: lastFill,
  }: Filling & { migration: string; from: string },
  afterPage: () => void,
): void => {
  const { begin, commit, rollback } = transactionsOf(db);
  const ids = db.prepare(
    `SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`,
  );
  const note = db.prepare(
    "UPDATE unfilled SET after_id = ? WHERE migration = ?",
  );
  const done = db.prepare("DELETE FROM unfilled WHERE migration = ?");
  const read = fill(db);

  const together = (writes: readonly (() => void)[]): void => {
    begin();
    try {
      for (const each of writes) each();
      commit();
    } catch (error) {
      rollback();
      throw error;
    }
  };

  const write = (writes: readonly (() => void)[], last: string | undefined) => {
    const step = (): void => {
      if (last === undefined) done.run(migration);
      else note.run(last, migration);
    };
    const isDone = unlessDamaged(() => {
      together([...writes, step]);
      return true;
    });
    if (isDone === null) {
      // A row that grows may need room on a damaged page beside its own: it is passed over, and the others are written.
      for (const each of writes) unlessDamaged(() => together([each]));
      together([step]);
    }
    afterPage();
  };

  for (let after: string | undefined = from; after !== undefined;) {
    const start: string = after;
    const page = unlessDamaged(() =>
      ids.all(start, PAGE).map((row) => text(row, "id")),
    );
    // The mark stays: the next server tries again from here.
    if (page === null) return;
    after = page.at(-1);
    const writes = page.map((id) => unlessDamaged(() => read(id)));
    if (after === undefined) writes.push(lastFill?.(db) ?? null);
    write(
      writes.filter((each) => each !== null),
      after,
    );
  }
};
