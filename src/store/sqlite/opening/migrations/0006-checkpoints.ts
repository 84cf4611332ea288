import type { Migration } from "../migrate.ts";

/**
 * What must be kept for checkpoints, apart from the events that tell of them: whoever frees what nothing needs reads this
 * and no journal. `fill-checkpoints.ts` makes the rows of the sessions that are here already.
 */
export const neededTrees: Migration = {
  name: "0006-checkpoints",
  sql: `
    CREATE TABLE checkpoints (
      session_id  TEXT NOT NULL REFERENCES sessions (id),
      seq         INTEGER NOT NULL,
      id          TEXT NOT NULL,
      turn        INTEGER NOT NULL,
      kind        TEXT NOT NULL,
      tree        TEXT,
      agent_state TEXT,
      checksum    TEXT NOT NULL,
      PRIMARY KEY (session_id, seq)
    ) WITHOUT ROWID;
    INSERT INTO unfilled SELECT '0006-checkpoints', '' WHERE EXISTS (SELECT 1 FROM sessions);
  `,
};
