import type { Hash } from "./hash.ts";
import type { Objects } from "./objects.ts";

/** A block, and what is wanted from it. */
export interface WantedBlock {
  pack: string;
  offset: number;
  wanted: Wanted[];
}

export interface Wanted {
  hash: Hash;
  at: number;
  length: number;
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

/** The blocks one after the other, each with its content; a few are unpacked ahead, on half of Node's threads. */
export async function* unpackAhead(
  blocks: readonly WantedBlock[],
  objects: Objects,
): AsyncGenerator<{ raw: Buffer; block: WantedBlock }> {
  const ahead: Promise<Buffer>[] = [];
  const begin = (block: WantedBlock | undefined): void => {
    if (block === undefined) return;
    const raw = objects.unpacked(block.pack, block.offset);
    // It is waited for below, unless an earlier one fails.
    raw.catch(() => {});
    ahead.push(raw);
  };
  for (const block of blocks.slice(0, AHEAD)) begin(block);
  for (const [at, block] of blocks.entries()) {
    begin(blocks[at + AHEAD]);
    const raw = await ahead.shift();
    if (raw !== undefined) yield { raw, block };
  }
}

const AHEAD = 2;
