/** Reads everything that is stored, and says which checkpoints are not whole. */
import type { Stored } from "../bytes/bytes.ts";
import type { Hash } from "../format/hash.ts";
import type { Objects } from "../packs/objects.ts";
import { checkPack, type CheckedPack } from "../packs/check-pack.ts";
import type { PackPlace } from "../packs/damaged-places.ts";
import { LostPaths, type Lost } from "./lost-paths.ts";

export interface VerifiedVault {
  packs: number;
  /** What was read. */
  bytes: number;
  /** Those that are what their names say, and those that are not. */
  objects: number;
  damaged: number;
  /** All that cannot be read, whether it was known or not. */
  places: (PackPlace & { why: string })[];
  broken: BrokenTree[];
}

export interface BrokenTree extends Lost {
  tree: Hash;
}

/** Saves go on meanwhile, and so may a prune: a pack that it removes is not looked at any more. */
export const verifyVault = async (
  objects: Objects,
  trees: readonly Hash[],
  isAborted: () => boolean,
): Promise<VerifiedVault> => {
  await objects.refresh();
  const verified: VerifiedVault = {
    packs: 0,
    bytes: 0,
    objects: 0,
    damaged: 0,
    places: [],
    broken: [],
  };
  const expected = objects.blocks();
  for (const pack of await objects.bytes.list()) {
    const known = expected.get(pack.name) ?? new Map();
    const checked = await checkPack(objects.bytes, pack, known, isAborted);
    const isGone =
      checked.faults.length > 0 && !(await isListed(objects, pack));
    if (!isGone) count(verified, pack, checked);
  }
  objects.assume(verified.places);
  const lost = new LostPaths(objects, isAborted);
  for (const tree of trees) {
    const found = await lost.of(tree);
    if (found !== null) verified.broken.push({ tree, ...found });
  }
  return verified;
};

const isListed = async (
  { bytes }: Objects,
  { name }: Stored,
): Promise<boolean> => (await bytes.list()).some((each) => each.name === name);

const count = (
  verified: VerifiedVault,
  { name, size }: Stored,
  { objects, damaged, faults }: CheckedPack,
): void => {
  verified.packs += 1;
  verified.bytes += size;
  verified.objects += objects;
  verified.damaged += damaged;
  for (const fault of faults) verified.places.push({ pack: name, ...fault });
};
