import type { LinkParams, LinkResult } from "../../../contract/link/link.ts";
import type { CheckpointStorage } from "../../storage/checkpoint-storage.ts";

/** Reads everything that is stored. That takes long: one is under way at a time, the one that was ordered last. */
export class Verifications {
  readonly #storage: CheckpointStorage;
  #underWay = new AbortController();

  constructor(storage: CheckpointStorage) {
    this.#storage = storage;
  }

  async run({
    trees,
    dry_run,
  }: LinkParams<"verify">): Promise<LinkResult<"verify">> {
    this.#underWay.abort();
    this.#underWay = new AbortController();
    const signal = AbortSignal.any([
      this.#underWay.signal,
      this.#storage.closing,
    ]);
    const vault = await this.#storage.vault();
    const { broken, packs, bytes, objects, damaged } = await vault.verifyAll(
      trees,
      { dryRun: dry_run, signal },
    );
    return {
      packs,
      bytes,
      objects,
      damaged,
      broken: broken.map(({ tree, count, paths }) => ({
        tree,
        lost: count,
        paths,
      })),
    };
  }
}
