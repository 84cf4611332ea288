import type { DatabaseSync } from "node:sqlite";
import { number, text } from "../base/row.ts";

/** A row per place at which a session was ever purged. */
export const sweepWrites = (db: DatabaseSync) => {
  const purged = db.prepare(`
    INSERT INTO sweeps (place, purges) VALUES (?, 1)
    ON CONFLICT (place) DO UPDATE SET purges = purges + 1`);
  const swept = db.prepare(
    "UPDATE sweeps SET swept = max(swept, ?) WHERE place = ?",
  );
  return {
    purged: (place: string): void => {
      purged.run(place);
    },
    swept: (place: string, purges: number): void => {
      swept.run(purges, place);
    },
  };
};

export interface UnsweptRow {
  place: string;
  purges: number;
}

export const sweepReads = (db: DatabaseSync) => {
  const unswept = db.prepare(
    "SELECT place, purges FROM sweeps WHERE purges > swept ORDER BY place",
  );
  return {
    unswept: (): UnsweptRow[] =>
      unswept.all().map((row) => ({
        place: text(row, "place"),
        purges: number(row, "purges"),
      })),
  };
};
