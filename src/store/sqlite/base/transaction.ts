import type { DatabaseSync } from "node:sqlite";
import { crashPoint } from "../../../kit/crash-point.ts";

/** The only way anything is committed: crash points stand on both sides of it. */
export const transactionsOf = (db: DatabaseSync) => {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");
  return {
    /** Immediate, so that of two writers the second sees what the first has done. */
    begin: (): void => {
      begin.run();
    },
    commit: (): void => {
      crashPoint("store.before-commit");
      commit.run();
      crashPoint("store.after-commit");
    },
    rollback: (): void => {
      // After some accidents SQLite has rolled back by itself.
      if (db.isTransaction) rollback.run();
    },
  };
};
