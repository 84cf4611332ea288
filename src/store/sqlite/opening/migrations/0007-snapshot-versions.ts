import type { Migration } from "../migrate.ts";

/**
 * Snapshots of different versions of the state lie beside each other. Those that are here are of versions that no release
 * with this table reads: they are not copied, and the journals are folded from their start once.
 */
export const snapshotVersions: Migration = {
  name: "0007-snapshot-versions",
  sql: `
    DROP TABLE snapshots;
    CREATE TABLE snapshots (
      session_id TEXT NOT NULL REFERENCES sessions (id),
      version    INTEGER NOT NULL,
      seq        INTEGER NOT NULL,
      state      TEXT NOT NULL,
      checksum   TEXT NOT NULL,
      PRIMARY KEY (session_id, version)
    );
  `,
};
