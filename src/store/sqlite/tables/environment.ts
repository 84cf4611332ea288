import type { DatabaseSync } from "node:sqlite";
import { rowChecksum } from "../../checksum.ts";
import { RepriseError } from "../../../contract/problem/reprise-error.ts";
import { isSound, text } from "../base/row.ts";

const columns = ["session_id", "env"] as const;

export const environmentWrites = (db: DatabaseSync) => {
  const put = db.prepare(`
    INSERT INTO session_env (session_id, env, checksum) VALUES (?, ?, ?)
    ON CONFLICT (session_id) DO UPDATE SET env = excluded.env, checksum = excluded.checksum`);
  return {
    put: (session: string, env: string): void => {
      put.run(session, env, rowChecksum(session, env));
    },
  };
};

export const environmentReads = (db: DatabaseSync) => {
  const one = db.prepare(
    "SELECT session_id, env, checksum FROM session_env WHERE session_id = ?",
  );
  return {
    one: (session: string): string => {
      const row = one.get(session);
      if (row === undefined) return "{}";
      if (isSound(row, columns)) return text(row, "env");
      throw new RepriseError(
        "storage_damaged",
        `The environment variables that ${session} was started with are damaged, and they are stored nowhere else: its agent is not started with others. Start another session with them, or restore a backup of the database.`,
      );
    },
  };
};
