/**
 * Removes what no checkpoint needs, beside saves that go on.
 *
 *   mark    walks the checkpoints, chooses packs, copies what is alive out of those that are mostly dead
 *   sweep   adds the checkpoints that were saved meanwhile, and removes the packs that nobody needs
 *
 * Only packs that were there when marking began are ever removed.
 */
import type { Stored } from "./bytes/bytes.ts";
import { objectIn, type ObjectKind, type Placed } from "./block.ts";
import type { Hash } from "./hash.ts";
import type { Objects } from "./objects.ts";
import { PackWriter } from "./pack-writer.ts";
import { blocksOf } from "./pack.ts";
import { reach } from "./reach.ts";

export interface Pruned {
  freed_bytes: number;
  /** Packs. */
  kept: number;
  removed: number;
}

/** A pack of which less than this part is alive is written anew. */
const MOSTLY_DEAD = 0.5;
/** Every turn leaves a small pack. When there are many, they become one. */
const SMALL = 1024 * 1024;
const MANY_SMALL = 32;

/** What is known between the two phases. */
export interface Marking {
  reached: Map<Hash, ObjectKind>;
  /** Packs that go, unless something in them turns out to be needed that was not copied. */
  candidates: Considered[];
  /** What was copied out of them. */
  copied: Set<Hash>;
  copiedBytes: number;
  packs: number;
}

/** A pack, and those of its objects that are found here and not in another one. */
interface Considered {
  pack: Stored;
  blocks: { offset: number; placed: Placed[] }[];
  rawBytes: number;
  liveBytes: number;
}

export const mark = async (
  objects: Objects,
  roots: readonly Hash[],
  dryRun: boolean,
): Promise<Marking> => {
  // In this order: a pack that is placed in between is not looked at, and everything in the others is known.
  const packs = await objects.bytes.list();
  await objects.refresh();
  const reached = new Map<Hash, ObjectKind>();
  for (const root of roots) await reach(root, objects, reached);
  const merge = packs.filter(({ size }) => size < SMALL).length >= MANY_SMALL;
  const candidates: Considered[] = [];
  for (const pack of packs) {
    const considered = await consider(pack, objects, reached);
    if (considered === null) continue;
    const { liveBytes, rawBytes } = considered;
    if (liveBytes < rawBytes * MOSTLY_DEAD || (merge && pack.size < SMALL))
      candidates.push(considered);
  }
  const copied = new Set<Hash>();
  const copiedBytes = dryRun
    ? estimate(candidates)
    : await copyLive(candidates, objects, reached, copied);
  return { reached, candidates, copied, copiedBytes, packs: packs.length };
};

/** Nothing may be saved while this goes on; what was saved since `mark` began is among the roots. */
export const sweep = async (
  objects: Objects,
  { reached, candidates, copied, copiedBytes, packs }: Marking,
  roots: readonly Hash[],
  dryRun: boolean,
): Promise<Pruned> => {
  await objects.refresh();
  for (const root of roots) await reach(root, objects, reached);
  const isSpare = ({ hash }: Placed): boolean =>
    !reached.has(hash) || copied.has(hash);
  const removed = dryRun
    ? candidates
    : candidates.filter(({ blocks }) =>
        blocks.every(({ placed }) => placed.every(isSpare)),
      );
  if (!dryRun)
    for (const { pack } of removed) await objects.bytes.remove(pack.name);
  await objects.refresh();
  const freed = removed.reduce((sum, { pack }) => sum + pack.size, 0);
  return {
    freed_bytes: Math.max(0, freed - copiedBytes),
    kept: packs - removed.length,
    removed: removed.length,
  };
};

/** Null for a pack that cannot be read to its end: what is in it may be all there is. */
const consider = async (
  pack: Stored,
  objects: Objects,
  reached: ReadonlyMap<Hash, ObjectKind>,
): Promise<Considered | null> => {
  let isWhole = true;
  const considered: Considered = {
    pack,
    blocks: [],
    rawBytes: 0,
    liveBytes: 0,
  };
  for await (const block of blocksOf(objects.bytes, pack, () => {
    isWhole = false;
  })) {
    const placed = block.placed.filter(
      ({ hash }) => objects.locate(hash).pack === pack.name,
    );
    considered.blocks.push({ offset: block.offset, placed });
    considered.rawBytes += block.header.rawLength;
    for (const { hash, length } of placed)
      if (reached.has(hash)) considered.liveBytes += length;
  }
  return isWhole ? considered : null;
};

/** What writing them anew will take, if it compresses as it did. */
const estimate = (candidates: readonly Considered[]): number =>
  candidates.reduce(
    (sum, { pack, rawBytes, liveBytes }) =>
      sum + Math.round((pack.size * liveBytes) / Math.max(1, rawBytes)),
    0,
  );

const copyLive = async (
  candidates: readonly Considered[],
  objects: Objects,
  reached: ReadonlyMap<Hash, ObjectKind>,
  copied: Set<Hash>,
): Promise<number> => {
  const writer = new PackWriter(objects);
  try {
    for (const { pack, blocks } of candidates)
      for (const { offset, placed } of blocks) {
        const live = placed.filter(({ hash }) => reached.has(hash));
        if (live.length === 0) continue;
        const raw = await objects.unpacked(pack.name, offset);
        for (const each of live) {
          writer.copy(each.kind, each.hash, objectIn(raw, each));
          copied.add(each.hash);
        }
        await writer.pace();
      }
    await writer.finish();
    return writer.newBytes;
  } catch (error) {
    await writer.discard();
    throw error;
  }
};
