import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const INDEX = ".index";

/**
 * Indexes whose pack is not there: somebody took it away, brought an older copy of the vault, or we died in a prune.
 * Stat caches may believe that it is still there.
 */
export const indexesOfLostPacks = (indexes: string, packs: string): string[] =>
  readdirSync(indexes)
    .filter((name) => name.endsWith(INDEX))
    .filter((name) => !existsSync(join(packs, name.slice(0, -INDEX.length))))
    .map((name) => join(indexes, name));
