import type { DatabaseSync } from "node:sqlite";
import { number } from "../base/row.ts";

export const ownershipWrites = (db: DatabaseSync) => {
  const claim = db.prepare(
    "UPDATE ownership SET term = max(term, ?) + 1 RETURNING term",
  );
  return {
    claim: (above: number): number => number(claim.get(above) ?? {}, "term"),
    ...ownershipReads(db),
  };
};

export const ownershipReads = (db: DatabaseSync) => {
  const current = db.prepare("SELECT term FROM ownership");
  return { current: (): number => number(current.get() ?? {}, "term") };
};
