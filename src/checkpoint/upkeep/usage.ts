import type { ObjectKind } from "../format/block.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";
import type { Objects } from "../packs/objects.ts";
import { reach } from "../trees/reach.ts";

export interface Usage {
  /** What the packs take. */
  stored_bytes: number;
  /** What all sets together need, uncompressed. */
  reachable_bytes: number;
  /** What each set needs, in the order they were given; what sets share counts for each. */
  per_set: number[];
}

/** How much the checkpoints of each set need. */
export const usage = async (
  sets: readonly (readonly Hash[])[],
  objects: Objects,
): Promise<Usage> => {
  await objects.refresh();
  const packs = await objects.bytes.list();
  const all = new Map<Hash, ObjectKind>();
  const per_set: number[] = [];
  for (const roots of sets) {
    const reached = new Map<Hash, ObjectKind>();
    for (const root of roots) await reachSound(root, objects, reached);
    per_set.push(sizeOf(reached.keys(), objects));
    for (const [hash, kind] of reached) all.set(hash, kind);
  }
  return {
    stored_bytes: packs.reduce((sum, { size }) => sum + size, 0),
    reachable_bytes: sizeOf(all.keys(), objects),
    per_set,
  };
};

const sizeOf = (hashes: Iterable<Hash>, objects: Objects): number => {
  let bytes = 0;
  for (const hash of hashes) bytes += objects.find(hash)?.length ?? 0;
  return bytes;
};

/** What cannot be read any more takes nothing. */
const reachSound = async (
  root: Hash,
  objects: Objects,
  reached: Map<Hash, ObjectKind>,
): Promise<void> => {
  try {
    await reach(root, objects, reached);
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error;
  }
};
