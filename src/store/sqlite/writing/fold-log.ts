import type { DatabaseSync } from "node:sqlite";
import { crashPoint } from "../../../kit/crash-point.ts";
import { number } from "../base/row.ts";

/**
 * 16 MB of log. SQLite's own 1,000 pages are written again and again while many sessions are busy: with 64 of them,
 * a checkpoint every 13 commits took as long as the commits.
 */
const DUE_PAGES = 4000;

/**
 * Folds the log into the database once it is long. Left to SQLite this happens inside a commit and makes its
 * acknowledgement ten to twenty times later than the others; here everybody has been answered before.
 */
export const logFolding = (db: DatabaseSync) => {
  const look = db.prepare("PRAGMA wal_checkpoint(NOOP)");
  const fold = db.prepare("PRAGMA wal_checkpoint(PASSIVE)");
  return (): void => {
    try {
      const row = look.get() ?? {};
      if (number(row, "log") - number(row, "checkpointed") < DUE_PAGES) return;
      fold.get();
      crashPoint("store.folded");
    } catch {
      // Nothing is lost: the log still holds it all. What ails the disk is reported by the next write.
    }
  };
};
