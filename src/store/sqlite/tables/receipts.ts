import type { DatabaseSync } from "node:sqlite";
import type { Receipt, ReceiptPage } from "../../../runtime/ports/store.ts";
import { AGREEMENTS } from "../../../contract/api/agreement-route.ts";
import { RACE } from "../../../contract/api/race-route.ts";
import { rowChecksum } from "../../checksum.ts";
import { RepriseError } from "../../../contract/problem/reprise-error.ts";
import { isSound, text } from "../base/row.ts";

/** In the order of the checksum, which must not change. */
const columns = ["scope", "key", "request", "answer"] as const;

export const receiptWrites = (db: DatabaseSync) => {
  const used = db.prepare("SELECT 1 FROM receipts WHERE scope = ? AND key = ?");
  const add = db.prepare(
    "INSERT INTO receipts (scope, key, request, answer, checksum) VALUES (?, ?, ?, ?, ?)",
  );
  const put = db.prepare(`
    INSERT INTO receipts (scope, key, request, answer, checksum) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (scope, key) DO UPDATE SET
      request = excluded.request, answer = excluded.answer, checksum = excluded.checksum`);
  const addFirst = db.prepare(`
    INSERT INTO receipts (scope, key, request, answer, checksum) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (scope, key) DO NOTHING`);
  const dropOldest = db.prepare(`
    DELETE FROM receipts WHERE rowid IN (
      SELECT rowid FROM receipts WHERE scope = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?)`);
  return {
    /** Unless it has one. The newest of its scope are kept, so many. */
    addFirst: (
      { scope, key, request, answer }: Receipt,
      kept: number,
    ): void => {
      const values = [scope, key, request, answer] as const;
      const { changes } = addFirst.run(...values, rowChecksum(...values));
      if (changes !== 0) dropOldest.run(scope, kept);
    },
    put: ({ scope, key, request, answer }: Receipt): void => {
      const values = [scope, key, request, answer] as const;
      put.run(...values, rowChecksum(...values));
    },
    isUsed: ({ scope, key }: Receipt): boolean =>
      used.get(scope, key) !== undefined,
    add: ({ scope, key, request, answer }: Receipt): void => {
      const values = [scope, key, request, answer] as const;
      add.run(...values, rowChecksum(...values));
    },
  };
};

export const RECEIPTS_WITH_KEY =
  "SELECT scope, key, request, answer, checksum FROM receipts WHERE key = ? AND scope > ? ORDER BY scope LIMIT ?";

/** Their names are read from the index of the primary key, and nothing else; `+` keeps the table itself from being searched. */
const RACES = `scope = '${AGREEMENTS}' AND key >= '${RACE}' AND key < '${RACE}~'`;
export const NEWEST_RACES = `SELECT key FROM receipts WHERE ${RACES} ORDER BY rowid DESC LIMIT ?`;
export const OLDER_RACES = `
  SELECT key FROM receipts WHERE ${RACES}
    AND +rowid < (SELECT rowid FROM receipts WHERE scope = '${AGREEMENTS}' AND key = ?)
  ORDER BY rowid DESC LIMIT ?`;

const PAGE = 100;

export const receiptReads = (db: DatabaseSync) => {
  const one = db.prepare(
    "SELECT scope, key, request, answer, checksum FROM receipts WHERE scope = ? AND key = ?",
  );
  const newest = db.prepare(NEWEST_RACES);
  const older = db.prepare(OLDER_RACES);
  const withKey = db.prepare(RECEIPTS_WITH_KEY);
  return {
    races: ({
      after,
      limit,
    }: {
      after: string | null;
      limit: number;
    }): string[] =>
      (after === null ? newest.all(limit) : older.all(after, limit)).map(
        (row) => text(row, "key"),
      ),
    withKey: ({ key, after }: { key: string; after: string }): ReceiptPage => {
      const rows = withKey.all(key, after, PAGE);
      const last = rows.length < PAGE ? undefined : rows.at(-1);
      return {
        receipts: rows
          .filter((row) => isSound(row, columns))
          .map((row) => ({
            scope: text(row, "scope"),
            key,
            request: text(row, "request"),
            answer: text(row, "answer"),
          })),
        next: last === undefined ? null : text(last, "scope"),
      };
    },
    one: ({ scope, key }: { scope: string; key: string }): Receipt | null => {
      const row = one.get(scope, key);
      if (row === undefined) return null;
      if (!isSound(row, columns))
        throw new RepriseError(
          "storage_damaged",
          `The key ${key} was used before, and what it was answered with is damaged. The request is not carried out again: see whether it was, and use another key for another one.`,
        );
      return {
        scope,
        key,
        request: text(row, "request"),
        answer: text(row, "answer"),
      };
    },
  };
};
