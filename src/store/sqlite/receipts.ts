import type { DatabaseSync } from "node:sqlite";
import type { Receipt } from "../../runtime/ports.ts";
import { text } from "./row.ts";

export const receiptWrites = (db: DatabaseSync) => {
  const used = db.prepare("SELECT 1 FROM receipts WHERE scope = ? AND key = ?");
  const add = db.prepare(
    "INSERT INTO receipts (scope, key, request, answer) VALUES (?, ?, ?, ?)",
  );
  return {
    isUsed: ({ scope, key }: Receipt): boolean =>
      used.get(scope, key) !== undefined,
    add: ({ scope, key, request, answer }: Receipt): void => {
      add.run(scope, key, request, answer);
    },
  };
};

export const receiptReads = (db: DatabaseSync) => {
  const one = db.prepare(
    "SELECT request, answer FROM receipts WHERE scope = ? AND key = ?",
  );
  return {
    one: ({ scope, key }: { scope: string; key: string }): Receipt | null => {
      const row = one.get(scope, key);
      if (row === undefined) return null;
      return {
        scope,
        key,
        request: text(row, "request"),
        answer: text(row, "answer"),
      };
    },
  };
};
