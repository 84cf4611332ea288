import type { Hash } from "../format/hash.ts";

/** Something that a thread found wrong with the packs. */
export type Damage =
  | {
      kind: "damaged";
      pack: string;
      /** Where the block begins; null when nothing of the pack can be read. */
      block: number | null;
      /** Null when nothing of the block can be read. */
      object: Hash | null;
      why: string;
    }
  /** The pack is not there any more. */
  | { kind: "lost"; pack: string };
