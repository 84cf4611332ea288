import { randomUUID } from "node:crypto";
import type { PruneToken } from "../../../checkpoint/upkeep.ts";
import type { LinkParams, LinkResult } from "../../../contract/link/link.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import type { CheckpointStorage } from "../../storage/checkpoint-storage.ts";

/** Marks that nobody came back with are forgotten, the oldest first. */
const MAX_MARKS = 8;

/** Frees what no checkpoint needs, in two steps: between them, the caller finds out which checkpoints there are. */
export class Prunes {
  readonly #storage: CheckpointStorage;
  readonly #marks = new Map<string, PruneToken>();

  constructor(storage: CheckpointStorage) {
    this.#storage = storage;
  }

  async begin(): Promise<LinkResult<"prune_begin">> {
    const mark = randomUUID();
    const vault = await this.#storage.vault();
    this.#marks.set(mark, vault.beginPrune());
    const [oldest] = this.#marks;
    if (this.#marks.size > MAX_MARKS && oldest !== undefined) {
      const [forgotten, token] = oldest;
      this.#marks.delete(forgotten);
      vault.cancelPrune(token);
    }
    return { mark };
  }

  async prune({
    mark,
    trees,
    dry_run,
  }: LinkParams<"prune">): Promise<LinkResult<"prune">> {
    const token = this.#marks.get(mark);
    if (token === undefined)
      throw new LinkError(
        "invalid_params",
        "agentctl does not know this mark (any more): begin again",
      );
    this.#marks.delete(mark);
    const vault = await this.#storage.vault();
    try {
      const before = await vault.usage([]);
      const { freed_bytes, unreadable } = await vault.prune(token, trees, {
        dryRun: dry_run,
      });
      const kept = dry_run
        ? before.stored_bytes - freed_bytes
        : (await vault.usage([])).stored_bytes;
      return { freed_bytes, kept_bytes: kept, unreadable };
    } finally {
      vault.cancelPrune(token);
    }
  }
}

export const disk = async (
  storage: CheckpointStorage,
  { sets }: LinkParams<"disk">,
): Promise<LinkResult<"disk">> => {
  const vault = await storage.vault();
  const { per_set, reachable_bytes } = await vault.usage(
    sets.map(({ trees }) => trees),
  );
  return {
    sets: sets.map(({ id }, at) => ({ id, bytes: per_set[at] ?? 0 })),
    total_bytes: reachable_bytes,
  };
};
