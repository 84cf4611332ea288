import type { Hash } from "../format/hash.ts";
import type { InBlock, Objects } from "./objects.ts";

/** A block, and what is wanted from it. */
export interface WantedBlock {
  pack: string;
  offset: number;
  wanted: InBlock[];
}

/** Objects by the block they are in, blocks as they lie in the packs: so each is unpacked once. */
export const inPackOrder = (
  hashes: Iterable<Hash>,
  objects: Objects,
): WantedBlock[] => {
  const blocks = new Map<string, WantedBlock>();
  for (const hash of hashes) {
    const { pack, block: offset, at, length } = objects.locate(hash);
    const key = `${pack}:${offset}`;
    const block = blocks.get(key) ?? { pack, offset, wanted: [] };
    block.wanted.push({ hash, at, length });
    blocks.set(key, block);
  }
  return [...blocks.values()].sort(
    (a, b) => a.pack.localeCompare(b.pack) || a.offset - b.offset,
  );
};
