import type { Migration } from "../migrate.ts";

/**
 * Where sessions were purged and the vault is still to be freed of what they needed: at places with more `purges` than are
 * `swept`. Both only grow, so that a sweep counts for the purges that came before it and for no later one.
 */
export const sweeps: Migration = {
  name: "0009-sweeps",
  sql: `
    CREATE TABLE sweeps (
      place  TEXT PRIMARY KEY NOT NULL,
      purges INTEGER NOT NULL,
      swept  INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;
  `,
};
