import type { DatabaseSync } from "node:sqlite";
import { rowChecksum } from "../../../checksum.ts";
import { isDamage } from "../../base/failure.ts";
import { latestWish } from "../../tables/latest-wish.ts";
import type { Migration } from "../migrate.ts";
import { isSound, plain, text } from "../../base/row.ts";

/** The columns of the checksum before this migration, in their order. */
const before = [
  "id",
  "task_id",
  "cwd",
  "state",
  "deleted_at",
  "last_active_at",
  "last_seq",
  "view",
  "head",
  "checkpoints",
  "damaged_from",
];

/** Every session gets its last wish. A row that was damaged already stays so: it is made again when it is read. */
const fill = (db: DatabaseSync): void => {
  const next = db.prepare(
    "SELECT id FROM sessions WHERE id > ? ORDER BY id LIMIT 1",
  );
  const one = db.prepare("SELECT * FROM sessions WHERE id = ?");
  const put = db.prepare(
    "UPDATE sessions SET last_wish_at = ?, checksum = ? WHERE id = ?",
  );
  const latest = latestWish(db);
  const fillOne = (id: string): void => {
    const row = one.get(id) ?? {};
    const wish = latest(id) ?? text(row, "last_active_at");
    const values = before.map((name) => plain(row, name));
    const checksum = isSound(row, before)
      ? rowChecksum(...values, wish)
      : plain(row, "checksum");
    put.run(wish, checksum, id);
  };
  let found = next.get("");
  while (found !== undefined) {
    const id = text(found, "id");
    try {
      fillOne(id);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    found = next.get(id);
  }
};

/** The session of a directory that somebody last asked something of is found without reading the others. */
export const wishes: Migration = {
  name: "0004-wishes",
  sql: `
    ALTER TABLE sessions ADD COLUMN last_wish_at TEXT NOT NULL DEFAULT '';
    DROP INDEX sessions_by_cwd;
    CREATE INDEX sessions_by_wish ON sessions (cwd, last_wish_at, id);
  `,
  run: fill,
};
