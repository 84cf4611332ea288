/** What is done to all of a vault at once, each by a thread of its own. */
import type { WorkerPool } from "./workers/worker-pool.ts";
import type { DamageRecord } from "./upkeep/damage-record.ts";
import type { VerifiedVault } from "./upkeep/verify-vault.ts";
import type { Generation } from "./upkeep/generation.ts";
import type { Hash } from "./format/hash.ts";
import type { ImportedTrees } from "./upkeep/imported-trees.ts";
import type { Pruned } from "./upkeep/prune.ts";

export interface Upkeep {
  pool: WorkerPool;
  generation: Generation;
  record: DamageRecord;
  imported: ImportedTrees;
}

/** Given by `beginPrune`, taken by `prune`. */
export interface PruneToken {
  readonly saved: Set<Hash>;
}

export const prune = async (
  { pool, generation, record, imported }: Upkeep,
  { saved }: PruneToken,
  roots: readonly Hash[],
  dryRun: boolean,
): Promise<Pruned> => {
  const thread = pool.extra();
  const never = new SharedArrayBuffer(4);
  const sweep = (): Promise<Pruned> =>
    thread.call("sweep", { roots: [...saved], dryRun }, never);
  try {
    const packs = await generation.read(() =>
      thread.call("mark", { roots: [...roots, ...saved], dryRun }, never),
    );
    if (dryRun) return await sweep();
    const pruned = await generation.remove(packs, async () => {
      const swept = await sweep();
      // While nothing can be imported.
      await imported.keepOnly(new Set([...roots, ...saved]));
      return swept;
    });
    await record.forget(pruned.removed_packs);
    return pruned;
  } finally {
    generation.unwatch(saved);
    await thread.close();
  }
};

export const verifyAll = async (
  { pool, record }: Upkeep,
  trees: readonly Hash[],
  dryRun: boolean,
  signal: AbortSignal | undefined,
): Promise<VerifiedVault> => {
  const began = new Date();
  const thread = pool.extra();
  const abort = new SharedArrayBuffer(4);
  const stop = (): void => void Atomics.store(new Int32Array(abort), 0, 1);
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const verified = await thread.call("verifyAll", { trees }, abort);
    if (!dryRun) await record.verified(verified, began);
    return verified;
  } finally {
    signal?.removeEventListener("abort", stop);
    await thread.close();
  }
};
