import type { ObjectKind } from "../format/block.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";
import type { Objects } from "../packs/objects.ts";
import { inPackOrder } from "../packs/pack-order.ts";
import { reach } from "../trees/reach.ts";

export interface Verified {
  objects: number;
  bytes: number;
  /** Objects that are not there, or not what they were. Empty when the checkpoint can be restored. */
  unsound: Hash[];
  /** Whether the tree itself could not be read, so that there may be more. */
  incomplete: string | null;
}

/** Reads everything that a checkpoint needs, in the order in which it lies in the packs. */
export const verify = async (
  tree: Hash,
  objects: Objects,
): Promise<Verified> => {
  await objects.refresh();
  const needed = new Map<Hash, ObjectKind>();
  const verified: Verified = {
    objects: 0,
    bytes: 0,
    unsound: [],
    incomplete: null,
  };
  try {
    await reach(tree, objects, needed);
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error;
    verified.incomplete = error.message;
  }
  const isThere = (hash: Hash): boolean => objects.has(hash);
  const [there, lacking] = [needed.keys().filter(isThere), needed.keys()];
  for (const { wanted } of inPackOrder(there, objects))
    for (const { hash, length } of wanted)
      if (await isSound(objects, hash)) {
        verified.objects += 1;
        verified.bytes += length;
      }
  verified.unsound.push(...lacking.filter((hash) => !isThere(hash)));
  return verified;
};

/** One that is not is not there any more afterwards. */
const isSound = async (objects: Objects, hash: Hash): Promise<boolean> => {
  try {
    await objects.object(hash);
    return true;
  } catch (error) {
    if (error instanceof VaultFailure) return false;
    throw error;
  }
};
