import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readIfThere, writeDurably } from "../kit/durable-file.ts";
import type { Hash } from "./hash.ts";

/**
 * Which objects are in the vault is known in three places: in the packs, in the threads, in the stat caches. The
 * generation is what they agree on. It changes before objects are removed, so that whoever believes something from
 * an older one looks again.
 *
 *   save ──── asks with generation 1 ───────────────┐
 *   prune ──────── generation 2, removes ───┐       ├─ answered under 1: asked again with 2
 */
export class Generation {
  readonly #path: string;
  #now: string;
  /** Trees that were saved while somebody prepares to remove. */
  readonly #watchers = new Set<Set<Hash>>();
  #removing: Promise<unknown> = Promise.resolve();

  private constructor(path: string, now: string) {
    this.#path = path;
    this.#now = now;
  }

  static async open(folder: string): Promise<Generation> {
    const path = join(folder, "generation");
    const there = (await readIfThere(path))?.trim() ?? "";
    if (there !== "") return new Generation(path, there);
    const generation = new Generation(path, newName());
    await writeDurably(path, `${generation.now}\n`);
    return generation;
  }

  get now(): string {
    return this.#now;
  }

  /** Saves, and saves again when something was removed meanwhile that it may have relied on. */
  async keep<T>(
    treeOf: (saved: T) => Hash,
    save: (generation: string) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      await this.#removing;
      const generation = this.#now;
      const saved = await save(generation);
      if (generation !== this.#now) continue;
      for (const watcher of this.#watchers) watcher.add(treeOf(saved));
      return saved;
    }
  }

  /** From now on every tree that is saved is in the set. */
  watch(): Set<Hash> {
    const seen = new Set<Hash>();
    this.#watchers.add(seen);
    return seen;
  }

  unwatch(seen: Set<Hash>): void {
    this.#watchers.delete(seen);
  }

  /** Nothing is saved while this removes, and what was being saved is looked at again. */
  async remove<T>(work: () => Promise<T>): Promise<T> {
    await this.#removing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#removing = promise;
    try {
      this.#now = newName();
      await writeDurably(this.#path, `${this.#now}\n`);
      return await work();
    } finally {
      resolve();
    }
  }
}

const newName = (): string => randomBytes(12).toString("hex");
