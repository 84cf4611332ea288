import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { text } from "./row.ts";

/** As much as a start may take time for: about a millisecond for each. A larger one tells of damage when it is met. */
const MOST_MEBIBYTES = 64;

/** Looks through a database that is not too large. Says what is wrong with it, or null. */
export const lookThrough = (db: DatabaseSync, path: string): string | null => {
  if (statSync(path).size > MOST_MEBIBYTES * 1024 * 1024) return null;
  try {
    const found = text(
      db.prepare("PRAGMA quick_check(1)").get() ?? {},
      "quick_check",
    );
    return found === "ok" ? null : found;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
