import { readdir } from "node:fs/promises";
import { join } from "node:path";

const INDEX = ".index";

/**
 * Packs that have an index and are not there: somebody took them away, brought an older copy of the vault, or we died in
 * a prune. Stat caches may believe that they are still there. Both folders are listed once: there may be many thousand
 * packs.
 */
export const lostPacks = async (
  indexes: string,
  packs: string,
): Promise<string[]> => {
  const there = new Set(await readdir(packs));
  return (await readdir(indexes))
    .filter((name) => name.endsWith(INDEX))
    .map((name) => name.slice(0, -INDEX.length))
    .filter((pack) => !there.has(pack));
};

export const indexOf = (indexes: string, pack: string): string =>
  join(indexes, `${pack}${INDEX}`);
