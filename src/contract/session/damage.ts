import * as z from "zod";
import { TreeHash } from "./checkpoint.ts";

/** Stored bytes that are not what was stored: one object of a block, a whole block, or a whole pack. */
export const DamagedPlace = z.object({
  pack: z.string(),
  /** Where the block begins in the pack; null for all of the pack. */
  block: z.int().nonnegative().nullable(),
  /** Null for all of the block. */
  object: TreeHash.nullable(),
  found_at: z.iso.datetime(),
});
export type DamagedPlace = z.infer<typeof DamagedPlace>;

/** `blobs/damage.json`: what is known to be damaged among the checkpoints of a home. */
export const DamageFile = z.object({
  version: z.literal(1),
  /** They are not read any more, and what they held is stored again when it is met again. */
  places: z.array(DamagedPlace),
  /** Packs that disappeared. */
  lost_packs: z.array(
    z.object({ pack: z.string(), found_at: z.iso.datetime() }),
  ),
  /** The last time everything was read; null when that was never done. */
  verified: z
    .object({
      at: z.iso.datetime(),
      /** How many workspaces or agents' files that checkpoints name were not whole. */
      broken_trees: z.int().nonnegative(),
    })
    .nullable(),
});
export type DamageFile = z.infer<typeof DamageFile>;

export const DAMAGE_FILE = "damage.json";
