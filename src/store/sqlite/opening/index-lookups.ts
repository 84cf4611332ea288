import type { DatabaseSync } from "node:sqlite";
import { unlessDamaged } from "../base/failure.ts";

/**
 * By what lists are filtered and ordered. This is no part of a migration: all rows are read for an index, and where one of them
 * cannot be, the database opens without that index. What is looked for is found all the same, and the next server tries again.
 */
const INDEXES = [
  "sessions_by_agent ON sessions (agent, last_active_at, id)",
  "sessions_by_agent_and_directory ON sessions (agent, place, cwd, last_wish_at, id)",
  "sessions_by_last_wish ON sessions (last_wish_at, id)",
  "sessions_by_name ON sessions (name) WHERE name IS NOT NULL",
  "sessions_by_parent ON sessions (parent, last_active_at, id) WHERE parent IS NOT NULL",
  "sessions_by_resume_token ON sessions (resume_token) WHERE resume_token IS NOT NULL",
  "sessions_by_state ON sessions (state, last_active_at, id)",
  "sessions_in_need ON sessions (last_active_at, id) WHERE needs_you = 1",
  "sessions_in_trash ON sessions (last_active_at, id) WHERE deleted_at IS NOT NULL",
  "sessions_by_change ON sessions (changed)",
  "tasks_by_change ON tasks (changed)",
  "receipts_by_key ON receipts (key, scope)",
];

export const indexLookups = (db: DatabaseSync): void => {
  for (const index of INDEXES)
    unlessDamaged(() => db.exec(`CREATE INDEX IF NOT EXISTS ${index}`));
};
