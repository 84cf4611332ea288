import type { DatabaseSync } from "node:sqlite";
import type { SessionId } from "../../contract/id.ts";
import { text } from "./row.ts";

export const environmentWrites = (db: DatabaseSync) => {
  const put = db.prepare(`
    INSERT INTO session_env (session_id, env) VALUES (?, ?)
    ON CONFLICT (session_id) DO UPDATE SET env = excluded.env`);
  return {
    put: (session: SessionId, env: string): void => {
      put.run(session, env);
    },
  };
};

export const environmentReads = (db: DatabaseSync) => {
  const one = db.prepare("SELECT env FROM session_env WHERE session_id = ?");
  return {
    one: (session: SessionId): string => {
      const row = one.get(session);
      return row === undefined ? "{}" : text(row, "env");
    },
  };
};
