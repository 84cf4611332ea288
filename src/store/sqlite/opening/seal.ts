/**
 * Computes the checksums of what an older release has written: once, before anything is read or added.
 *
 *   for each session without a checksum: its events, batch by batch ─► its other rows ─► its own row
 *
 * Every batch is a transaction of its own, and what has its checksum is not looked at again: a server that is killed
 * meanwhile goes on where it was. A session whose journal cannot be read is marked as damaged, and the others go on.
 */
import type { DatabaseSync } from "node:sqlite";
import { rowChecksum } from "../../checksum.ts";
import { isDamage } from "../base/failure.ts";
import { text } from "../base/row.ts";
import { sealSession } from "./seal-session.ts";
import { transactionsOf } from "../base/transaction.ts";

const BATCH = 500;

/** The migration leaves it behind for as long as something has no checksum. */
const UNSEALED = "prompts_unsealed";

export const isUnsealed = (db: DatabaseSync): boolean => isThere(db, UNSEALED);

const isThere = (db: DatabaseSync, table: string): boolean =>
  db
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    .get(table) !== undefined;

/** `afterBatch` is called between transactions. */
export const seal = (db: DatabaseSync, afterBatch: () => void): void => {
  const { begin, commit, rollback } = transactionsOf(db);
  const transact = <T>(work: () => T): T => {
    begin();
    try {
      const result = work();
      commit();
      return result;
    } catch (error) {
      rollback();
      throw error;
    } finally {
      afterBatch();
    }
  };

  const next = db.prepare(
    "SELECT id FROM sessions WHERE checksum IS NULL AND id > ? ORDER BY id LIMIT 1",
  );
  const sealing = sealSession(db);
  const sealOne = (session: string): void => {
    let sealed = sealing.begin(session);
    for (let before = -1; before < sealed.seq && !sealed.isTorn;) {
      const from = sealed;
      before = from.seq;
      sealed = transact(() => sealing.events(session, from));
    }
    transact(() => sealing.rows(session, sealed));
  };

  let row = next.get("");
  while (row !== undefined) {
    const session = text(row, "id");
    try {
      sealOne(session);
    } catch (error) {
      // Its own row is damaged too: whoever reads it makes it again, as far as that is possible.
      if (!isDamage(error)) throw error;
    }
    row = next.get(session);
  }
  for (const table of tables)
    if (isThere(db, table.name)) sealTable(db, table, transact);
  transact(() =>
    db.exec(`DROP TABLE ${UNSEALED}; DROP INDEX sessions_unsealed`),
  );
};

/** What belongs to no session. The columns are in the order of the checksum. */
const tables = [
  { name: "receipts", columns: ["scope", "key", "request", "answer"] },
  {
    name: "older_tasks",
    columns: ["id", "title", "description", "created_at"],
  },
] as const;

const sealTable = (
  db: DatabaseSync,
  { name, columns }: (typeof tables)[number],
  transact: <T>(work: () => T) => T,
): void => {
  const some = db.prepare(
    `SELECT rowid, ${columns.join(", ")} FROM ${name} WHERE rowid > ? ORDER BY rowid LIMIT ${BATCH}`,
  );
  const put = db.prepare(`UPDATE ${name} SET checksum = ? WHERE rowid = ?`);
  const batch = (after: number): number | null => {
    let last: number | null = null;
    for (const row of some.all(after)) {
      last = Number(row["rowid"]);
      put.run(rowChecksum(...columns.map((column) => text(row, column))), last);
    }
    return last;
  };
  let after: number | null = 0;
  while (after !== null) {
    const from: number = after;
    after = transact(() => batch(from));
  }
};
