import type { DatabaseSync } from "node:sqlite";
import { text } from "../base/row.ts";

const tables = [
  "events",
  "snapshots",
  "lines",
  "prompts",
  "permissions",
  "executors_running",
  "attention",
  "checkpoints",
  "session_env",
  "task_news",
] as const;

/** Removes every row of a session, and the long bodies that no other event shares. */
export const purgeWrites = (db: DatabaseSync) => {
  const longBodies = db.prepare(
    "SELECT DISTINCT blob FROM events WHERE session_id = ? AND blob IS NOT NULL",
  );
  const deletions = [
    ...tables.map((table) => `DELETE FROM ${table} WHERE session_id = ?`),
    "DELETE FROM webhook_deliveries WHERE subject = ?",
    "DELETE FROM receipts WHERE scope = ?",
    "DELETE FROM sessions WHERE id = ?",
  ].map((sql) => db.prepare(sql));
  const drop = db.prepare(`
    DELETE FROM blobs WHERE sha256 = ?
      AND NOT EXISTS (SELECT 1 FROM events WHERE events.blob = blobs.sha256)`);
  return (session: string): void => {
    const bodies = longBodies.all(session).map((row) => text(row, "blob"));
    for (const deletion of deletions) deletion.run(session);
    for (const body of bodies) drop.run(body);
  };
};
