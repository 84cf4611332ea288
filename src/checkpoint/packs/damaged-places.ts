import type { Hash } from "../format/hash.ts";

/** An object, or all of a block, or all of a pack. */
export interface PackPlace {
  pack: string;
  block: number | null;
  object: Hash | null;
}

/** Whole blocks, or single objects of them. */
type Blocks = Map<number, "all" | Set<Hash>>;

/** Places in packs that are not to be read. */
export class DamagedPlaces {
  readonly #packs = new Map<string, "all" | Blocks>();

  constructor(places: Iterable<PackPlace> = []) {
    for (const place of places) this.add(place);
  }

  get isEmpty(): boolean {
    return this.#packs.size === 0;
  }

  /** False when it is among them already. */
  add({ pack, block, object }: PackPlace): boolean {
    if (this.#covers(pack, block, object)) return false;
    if (block === null) {
      this.#packs.set(pack, "all");
      return true;
    }
    const blocks = this.#blocksOf(pack);
    const objects = blocks.get(block);
    if (object === null) blocks.set(block, "all");
    else if (objects instanceof Set) objects.add(object);
    else blocks.set(block, new Set([object]));
    return true;
  }

  /** Whether an object that is said to be in this block is not to be read there. */
  has(pack: string, block: number, object: Hash): boolean {
    return this.#covers(pack, block, object);
  }

  /** Whether anything of a pack is among them. */
  touches(pack: string): boolean {
    return this.#packs.has(pack);
  }

  #covers(pack: string, block: number | null, object: Hash | null): boolean {
    const blocks = this.#packs.get(pack);
    if (blocks === undefined || blocks === "all") return blocks === "all";
    const objects = block === null ? undefined : blocks.get(block);
    if (objects === undefined || objects === "all") return objects === "all";
    return object !== null && objects.has(object);
  }

  #blocksOf(pack: string): Blocks {
    const known = this.#packs.get(pack);
    if (known instanceof Map) return known;
    const blocks: Blocks = new Map();
    this.#packs.set(pack, blocks);
    return blocks;
  }
}
