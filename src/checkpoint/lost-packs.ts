import { readdir } from "node:fs/promises";
import { join } from "node:path";

const INDEX = ".index";

/**
 * Indexes whose pack is not there: somebody took it away, brought an older copy of the vault, or we died in a prune.
 * Stat caches may believe that it is still there. Both folders are listed once: there may be many thousand packs.
 */
export const indexesOfLostPacks = async (
  indexes: string,
  packs: string,
): Promise<string[]> => {
  const there = new Set(await readdir(packs));
  return (await readdir(indexes))
    .filter((name) => name.endsWith(INDEX))
    .filter((name) => !there.has(name.slice(0, -INDEX.length)))
    .map((name) => join(indexes, name));
};
