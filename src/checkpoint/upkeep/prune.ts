/**
 * Removes what no checkpoint needs, beside saves that go on.
 *
 *   mark    walks the checkpoints, chooses packs, copies what is alive out of those that are mostly dead
 *   sweep   adds the checkpoints that were saved meanwhile, and removes the packs that nobody needs
 *
 * Only packs that were there when marking began are ever removed. What cannot be read is not proved dead: while a
 * directory of a checkpoint cannot be read nothing is removed, and a pack that holds something needed in a damaged state
 * stays.
 */
import type { Stored } from "../bytes/bytes.ts";
import type { ObjectKind } from "../format/block.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";
import type { Objects } from "../packs/objects.ts";
import { inPackOrder } from "../packs/pack-order.ts";
import { type PackTarget, PackWriter } from "../packs/pack-writer.ts";
import { blocksOf } from "../packs/pack.ts";
import { reach } from "../trees/reach.ts";

export interface Pruned {
  freed_bytes: number;
  /** Packs. */
  kept: number;
  removed: number;
  removed_packs: string[];
  /** Checkpoints of which a directory cannot be read. While there are any, nothing is removed. */
  unreadable: Hash[];
}

/** A pack of which less than this part is alive is written anew. */
const MOSTLY_DEAD = 0.5;
/** Every turn leaves a small pack. When there are many, they become one. */
const SMALL = 1024 * 1024;
const MANY_SMALL = 32;

/** What is known between the two phases. */
export interface Marking {
  reached: Map<Hash, ObjectKind>;
  unreadable: Hash[];
  /** Packs that go, unless something in them turns out to be needed that was not copied. */
  candidates: Considered[];
  /** What was copied out of them. */
  copied: Set<Hash>;
  copiedBytes: number;
  packs: number;
}

/** A pack, and what of it is alive: objects that are found here and not in another one. */
interface Considered {
  pack: Stored;
  live: Hash[];
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
  const marking: Marking = {
    reached: new Map(),
    unreadable: [],
    candidates: [],
    copied: new Set(),
    copiedBytes: 0,
    packs: packs.length,
  };
  await reachAll(roots, objects, marking);
  if (marking.unreadable.length > 0) return marking;
  await proveCopies(objects, marking.reached);
  marking.candidates = await choose(packs, objects, marking.reached);
  const target = dryRun ? nowhere : objects;
  marking.copiedBytes = await copyLive(objects, target, marking);
  return marking;
};

/** Nothing may be saved while this goes on; what was saved since `mark` began is among the roots. */
export const sweep = async (
  objects: Objects,
  marking: Marking,
  roots: readonly Hash[],
  dryRun: boolean,
): Promise<Pruned> => {
  await objects.refresh();
  await reachAll(roots, objects, marking);
  const { candidates, copiedBytes, packs, unreadable } = marking;
  const needed = neededPacks(objects, marking);
  const removed =
    unreadable.length > 0
      ? []
      : candidates.map(({ pack }) => pack).filter((it) => !needed.has(it.name));
  if (!dryRun) for (const { name } of removed) await objects.bytes.remove(name);
  await objects.refresh();
  const freed = removed.reduce((sum, { size }) => sum + size, 0);
  return {
    freed_bytes: Math.max(0, freed - copiedBytes),
    kept: packs - removed.length,
    removed: removed.length,
    removed_packs: removed.map(({ name }) => name),
    unreadable,
  };
};

const reachAll = async (
  roots: readonly Hash[],
  objects: Objects,
  { reached, unreadable }: Marking,
): Promise<void> => {
  for (const root of roots)
    try {
      await reach(root, objects, reached);
    } catch (error) {
      if (!isLost(error)) throw error;
      unreadable.push(root);
    }
};

/** Of several copies of an object one is kept: it has to be a good one. Reading it finds out. */
const proveCopies = async (
  objects: Objects,
  reached: ReadonlyMap<Hash, ObjectKind>,
): Promise<void> => {
  for (const hash of objects.copied())
    if (reached.has(hash)) await unlessLost(objects.object(hash));
};

const choose = async (
  packs: readonly Stored[],
  objects: Objects,
  reached: ReadonlyMap<Hash, ObjectKind>,
): Promise<Considered[]> => {
  const live = new Map<string, Considered>();
  for (const pack of packs)
    live.set(pack.name, { pack, live: [], liveBytes: 0 });
  const holdsLost = new Set<string>();
  for (const hash of reached.keys()) {
    const place = objects.find(hash);
    for (const { pack } of place === null ? objects.damagedPlaces(hash) : [])
      holdsLost.add(pack);
    const considered = live.get(place?.pack ?? "");
    considered?.live.push(hash);
    if (considered !== undefined) considered.liveBytes += place?.length ?? 0;
  }
  const merge = packs.filter(({ size }) => size < SMALL).length >= MANY_SMALL;
  const chosen: Considered[] = [];
  for (const considered of live.values()) {
    const { pack, liveBytes } = considered;
    if (holdsLost.has(pack.name)) continue;
    const rawBytes = await contentOf(pack, objects);
    if (rawBytes === null) continue;
    const isWorthIt =
      liveBytes < rawBytes * MOSTLY_DEAD ||
      (merge && pack.size < SMALL) ||
      objects.isDamaged(pack.name);
    if (isWorthIt) chosen.push(considered);
  }
  return chosen;
};

/** How much a pack holds, unpacked; null for one that cannot be read to its end: what is in it may be all there is. */
const contentOf = async (
  pack: Stored,
  objects: Objects,
): Promise<number | null> => {
  let isWhole = true;
  let bytes = 0;
  for await (const { header } of blocksOf(objects.bytes, pack, () => {
    isWhole = false;
  }))
    bytes += header.rawLength;
  return isWhole ? bytes : null;
};

/** A dry run packs the same objects and keeps nothing of it: only so it can tell what is freed to the byte. */
const nowhere: PackTarget = {
  bytes: {
    draft: async () => ({
      append: async () => undefined,
      seal: async () => undefined,
      discard: async () => undefined,
    }),
  },
  has: () => false,
  learn: () => undefined,
};

/** What turns out to be damaged is not copied, so its pack stays. */
const copyLive = async (
  objects: Objects,
  target: PackTarget,
  { candidates, reached, copied }: Marking,
): Promise<number> => {
  const writer = new PackWriter(target);
  try {
    const live = candidates.flatMap((each) => each.live);
    for (const { wanted } of inPackOrder(live, objects)) {
      for (const { hash } of wanted) {
        const bytes = await unlessLost(objects.object(hash));
        if (bytes === null) continue;
        writer.copy(reached.get(hash) ?? "data", hash, bytes);
        copied.add(hash);
      }
      await writer.pace();
    }
    await writer.finish();
    return writer.packBytes;
  } catch (error) {
    await writer.discard();
    throw error;
  }
};

/** Packs in which something is alive that was not copied, be it readable or not. */
const neededPacks = (
  objects: Objects,
  { reached, copied }: Marking,
): Set<string> => {
  const needed = new Set<string>();
  for (const hash of reached.keys()) {
    if (copied.has(hash)) continue;
    const place = objects.find(hash);
    const places = place === null ? objects.damagedPlaces(hash) : [place];
    for (const { pack } of places) needed.add(pack);
  }
  return needed;
};

const unlessLost = async <T>(reading: Promise<T>): Promise<T | null> => {
  try {
    return await reading;
  } catch (error) {
    if (isLost(error)) return null;
    throw error;
  }
};

const isLost = (error: unknown): boolean =>
  error instanceof VaultFailure &&
  (error.code === "damaged" || error.code === "missing");
