import { toText } from "./byte-string.ts";
import { objectIn } from "./block.ts";
import { VaultFailure } from "./failure.ts";
import type { Hash } from "./hash.ts";
import type { Objects } from "./objects.ts";
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
  const needed = new Set<Hash>();
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
    verified.incomplete = toText(error.message);
  }
  for (const { pack, offset, wanted } of inPackOrder(needed, objects, (hash) =>
    verified.unsound.push(hash),
  )) {
    const raw = await tryUnpack(objects, pack, offset);
    for (const { hash, at, length } of wanted)
      if (raw !== null && isSound(raw, { hash, at, length })) {
        verified.objects += 1;
        verified.bytes += length;
      } else verified.unsound.push(hash);
  }
  return verified;
};

export interface Wanted {
  hash: Hash;
  at: number;
  length: number;
}

/** Objects by the block they are in, blocks as they lie in the packs. */
export const inPackOrder = (
  hashes: Iterable<Hash>,
  objects: Objects,
  onMissing: (hash: Hash) => void,
): { pack: string; offset: number; wanted: Wanted[] }[] => {
  const blocks = new Map<
    string,
    { pack: string; offset: number; wanted: Wanted[] }
  >();
  for (const hash of hashes) {
    if (!objects.has(hash)) {
      onMissing(hash);
      continue;
    }
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
