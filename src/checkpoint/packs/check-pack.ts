import { decodeDoubtfulBody, objectIn, type Placed } from "../format/block.ts";
import type { Bytes, Stored } from "../bytes/bytes.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";
import { blocksOf, readBlock } from "./pack.ts";

/** Something in a pack that cannot be read. */
export interface Fault {
  /** Where the block begins; null for all of the pack. */
  block: number | null;
  /** Null for all of the block. */
  object: Hash | null;
  why: string;
}

export interface CheckedPack {
  /** Objects that are what their names say, and their bytes. */
  objects: number;
  bytes: number;
  /** How many objects are not, as far as anybody knows of them. */
  damaged: number;
  faults: Fault[];
}

/**
 * Reads all of a pack: every block, and every object against its hash. `expected` says how many objects an index knows in
 * each block, because blocks whose header is damaged are not found by reading alone.
 */
export const checkPack = async (
  bytes: Bytes,
  pack: Stored,
  expected: ReadonlyMap<number, number>,
  isAborted: () => boolean,
): Promise<CheckedPack> => {
  const checked: CheckedPack = {
    objects: 0,
    bytes: 0,
    damaged: 0,
    faults: [],
  };
  const found = new Set<number>();
  const blocks = blocksOf(bytes, pack, ({ message, code }, block) => {
    if (code !== "unknown_version")
      checked.faults.push({ block, object: null, why: message });
  });
  for await (const { offset, placed } of blocks) {
    if (isAborted()) throw new VaultFailure("aborted", "it was called off");
    found.add(offset);
    await checkBlock(bytes, pack.name, offset, placed, checked);
  }
  for (const [block, count] of expected)
    if (!found.has(block)) {
      const why = `the block at ${block} cannot be found`;
      checked.faults.push({ block, object: null, why });
      checked.damaged += count;
    }
  const [first] = checked.faults;
  // One line for a pack of which nothing is left, instead of thousands.
  if (first !== undefined && checked.objects === 0)
    checked.faults = [{ ...first, block: null, object: null }];
  return checked;
};

const checkBlock = async (
  bytes: Bytes,
  pack: string,
  offset: number,
  placed: readonly Placed[],
  checked: CheckedPack,
): Promise<void> => {
  let raw: Buffer;
  try {
    const { header, body } = await readBlock(bytes, pack, offset);
    raw = decodeDoubtfulBody(header, body);
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error;
    checked.faults.push({ block: offset, object: null, why: error.message });
    checked.damaged += placed.length;
    return;
  }
  for (const each of placed)
    try {
      checked.bytes += objectIn(raw, each).length;
      checked.objects += 1;
    } catch (error) {
      if (!(error instanceof VaultFailure)) throw error;
      const { message: why } = error;
      checked.faults.push({ block: offset, object: each.hash, why });
      checked.damaged += 1;
    }
};
