import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { text } from "../base/row.ts";

/** As much as a start may take time for: about two milliseconds for each. */
const MAX_MEBIBYTES = 64;

/** A larger one is looked through by a thread of its own while the server is at work. */
export const isLarge = (path: string): boolean =>
  statSync(path).size > MAX_MEBIBYTES * 1024 * 1024;

/**
 * Rows are found through indexes, and a row that an index has lost looks like one that was never there. Their checksums do
 * not tell that, so the indexes of these tables are compared with them. Events need no such look: their chain tells.
 */
const listed = [
  "sessions",
  "prompts",
  "permissions",
  "executors_running",
  "attention",
  "checkpoints",
  "session_env",
  "receipts",
  "tasks",
  "task_news",
  "webhook_deliveries",
  "webhooks_off",
  "removed",
] as const;

/** Looks through a database. Says what is wrong with it, or null. */
export const lookThrough = (db: DatabaseSync): string | null => {
  try {
    return (
      wrongBy(db, "quick_check") ??
      listed
        .map((table) => wrongBy(db, "integrity_check", table))
        .find((found) => found !== null) ??
      null
    );
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** The first thing that is wrong, or null. A table may be named instead of the number of things to tell. */
const wrongBy = (
  db: DatabaseSync,
  check: "quick_check" | "integrity_check",
  of: string = "1",
): string | null => {
  const found = text(db.prepare(`PRAGMA ${check}(${of})`).get() ?? {}, check);
  return found === "ok" ? null : found;
};
