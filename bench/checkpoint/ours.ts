/** The same for our own engine: as agentctl uses it, which keeps the vault open. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Vault } from "../../src/checkpoint/vault.ts";
import { bundledEngine } from "./bundled-engine.ts";

export class Ours {
  /** What is kept. The cache beside it can be made again from the workspace, as restic's can. */
  readonly folder: string;
  readonly #vault: Vault;

  private constructor(folder: string, vault: Vault) {
    this.folder = folder;
    this.#vault = vault;
  }

  static async open(place: string): Promise<Ours> {
    const folder = join(place, "vault");
    const cache = join(place, "vault-cache");
    const { openVault } = await bundledEngine();
    return new Ours(folder, await openVault({ folder, cache }));
  }

  async save(root: string): Promise<{ tree: string; seconds: number }> {
    const start = performance.now();
    const saved = await this.#vault.save({
      root,
      leaveOut: [],
      cacheKey: "bench",
    });
    const seconds = (performance.now() - start) / 1000;
    assert.equal(saved.outcome, "saved");
    return { tree: saved.tree, seconds };
  }

  /** Into an empty directory, or back to what it was: planning is part of it. */
  async restore(tree: string, into: string): Promise<number> {
    const start = performance.now();
    const plan = await this.#vault.planRestore({
      tree,
      into,
      cacheKey: "bench",
    });
    await this.#vault.restore(plan);
    return (performance.now() - start) / 1000;
  }

  close(): Promise<void> {
    return this.#vault.close();
  }
}
