import type { DatabaseSync } from "node:sqlite";
import { number } from "../base/row.ts";

export const ownershipWrites = (db: DatabaseSync) => {
  const claim = db.prepare(
    "UPDATE ownership SET term = max(term, ?) + 1 RETURNING term",
  );
  const current = db.prepare("SELECT term FROM ownership");
  return {
    claim: (above: number): number => number(claim.get(above) ?? {}, "term"),
    current: (): number => number(current.get() ?? {}, "term"),
  };
};
