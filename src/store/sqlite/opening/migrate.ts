import type { DatabaseSync } from "node:sqlite";
import { RepriseError } from "../../../contract/problem/reprise-error.ts";
import { text } from "../base/row.ts";
import { transactionsOf } from "../base/transaction.ts";

/** A named step of the schema. Its name rests in the database for ever. */
export interface Migration {
  name: string;
  sql: string;
  /** What SQL alone cannot do, in the same transaction. */
  run?: (db: DatabaseSync) => void;
}

/** Brings the schema up to date, all or nothing; returns the names of what was applied. */
export const migrate = (
  db: DatabaseSync,
  migrations: readonly Migration[],
  at: string,
): string[] => {
  const { begin, commit, rollback } = transactionsOf(db);
  begin();
  try {
    db.exec(
      "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY NOT NULL, at TEXT NOT NULL)",
    );
    const applied = db
      .prepare("SELECT name FROM migrations ORDER BY name")
      .all()
      .map((row) => text(row, "name"));
    const pending = pendingOf(migrations, applied);
    const record = db.prepare(
      "INSERT INTO migrations (name, at) VALUES (?, ?)",
    );
    for (const migration of pending) {
      db.exec(migration.sql);
      migration.run?.(db);
      record.run(migration.name, at);
    }
    commit();
    return pending.map(({ name }) => name);
  } catch (error) {
    rollback();
    throw error;
  }
};

/** What is applied must be the beginning of what we know; anything else was made by another release. */
const pendingOf = (
  known: readonly Migration[],
  applied: readonly string[],
): readonly Migration[] => {
  const stranger = applied.find((name, index) => known[index]?.name !== name);
  if (stranger === undefined) return known.slice(applied.length);
  throw new RepriseError(
    "storage_unavailable",
    `The database was made by a newer release of Reprise: it has the migration ${stranger}, which this release does not know. Install that release or a later one, or use another REPRISE_HOME.`,
  );
};
