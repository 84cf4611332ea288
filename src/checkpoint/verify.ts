import { objectIn, type ObjectKind } from "./block.ts";
import { VaultFailure } from "./failure.ts";
import type { Hash } from "./hash.ts";
import type { Objects } from "./objects.ts";
import { inPackOrder, type Wanted } from "./pack-order.ts";
import { reach } from "./reach.ts";

export interface Verified {
  objects: number;
  bytes: number;
  /** Objects that are not there, or not what they were. Empty when the checkpoint can be restored. */
  unsound: Hash[];
  /** Whether the tree itself could not be read, so that there may be more. */
  incomplete: string | null;
}

/** Reads everything that a checkpoint needs, each block once. */
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
  verified.unsound.push(
    ...[...needed.keys()].filter((hash) => !objects.has(hash)),
  );
  const there = [...needed.keys()].filter((hash) => objects.has(hash));
  for (const { pack, offset, wanted } of inPackOrder(there, objects)) {
    const raw = await tryUnpack(objects, pack, offset);
    for (const each of wanted)
      if (raw !== null && isSound(raw, each)) {
        verified.objects += 1;
        verified.bytes += each.length;
      } else verified.unsound.push(each.hash);
  }
  return verified;
};

const tryUnpack = async (
  objects: Objects,
  pack: string,
  offset: number,
): Promise<Buffer | null> => {
  try {
    return await objects.unpacked(pack, offset);
  } catch (error) {
    if (error instanceof VaultFailure) return null;
    throw error;
  }
};

const isSound = (raw: Buffer, wanted: Wanted): boolean => {
  try {
    objectIn(raw, wanted);
    return true;
  } catch {
    return false;
  }
};
