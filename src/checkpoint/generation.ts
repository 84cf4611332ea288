import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readIfThere, writeDurably } from "../kit/durable-file.ts";
import type { Hash } from "./hash.ts";

/**
 * Which objects are in the vault is known in three places: in the packs, in the threads, in the stat caches. The
 * generation is what they agree on. It changes before objects are removed, so that whoever believes something from
 * an older one looks again.
 *
 *   save ──── begins under 1 ───────────────────────┐
 *   prune ──────── generation 2, removes ───┐       └─ ends under 2: is done again, now knowing what is left
 */
export class Generation {
  readonly #path: string;
  #now: string;
  /** Trees that were saved lately, and when: who saved them may not have told anybody yet. */
  readonly #recent = new Map<Hash, number>();
  /** Trees that were saved while somebody prepares to remove. */
  readonly #watchers = new Set<Set<Hash>>();
  readonly #reading = new Set<Promise<unknown>>();
  #removing: Promise<void> = Promise.resolve();

  private constructor(path: string, now: string) {
    this.#path = path;
    this.#now = now;
  }

  /** `isDoubtful` when something was removed and nobody said so. */
  static async open(folder: string, isDoubtful: boolean): Promise<Generation> {
    const path = join(folder, "generation");
    const there = (await readIfThere(path))?.trim() ?? "";
    if (there !== "" && !isDoubtful) return new Generation(path, there);
    const generation = new Generation(path, newName());
    await writeDurably(path, `${generation.now}\n`);
    return generation;
  }

  get now(): string {
    return this.#now;
  }

  /** Saves, and saves again when something was removed meanwhile that it may have relied on. */
  async save<T>(
    treesOf: (saved: T) => readonly Hash[],
    work: (generation: string) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      await this.#removing;
      const generation = this.#now;
      try {
        const saved = await work(generation);
        if (generation !== this.#now) continue;
        for (const tree of treesOf(saved)) this.#note(tree);
        return saved;
      } catch (error) {
        if (generation === this.#now) throw error;
      }
    }
  }

  /** Reads while nothing is removed. */
  async read<T>(work: (generation: string) => Promise<T>): Promise<T> {
    await this.#removing;
    const reading = work(this.#now);
    const settled = reading.catch(() => {});
    this.#reading.add(settled);
    try {
      return await reading;
    } finally {
      this.#reading.delete(settled);
    }
  }

  /** Holds what was saved lately, and from now on every tree that is saved. */
  watch(): Set<Hash> {
    const since = Date.now() - LATELY_MS;
    const seen = new Set<Hash>();
    for (const [tree, at] of this.#recent)
      if (at >= since) seen.add(tree);
      else this.#recent.delete(tree);
    this.#watchers.add(seen);
    return seen;
  }

  unwatch(seen: Set<Hash>): void {
    this.#watchers.delete(seen);
  }

  /** Nobody begins to read or save while this removes; who reads is waited for, who saves will look again. */
  async remove<T>(work: () => Promise<T>): Promise<T> {
    await this.#removing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#removing = promise;
    try {
      await Promise.all(this.#reading);
      await writeDurably(this.#path, `${(this.#now = newName())}\n`);
      return await work();
    } finally {
      resolve();
    }
  }

  #note(tree: Hash): void {
    this.#recent.set(tree, Date.now());
    for (const watcher of this.#watchers) watcher.add(tree);
  }
}

/** Between saving and telling there are a few messages and a commit. */
const LATELY_MS = 10 * 60_000;

const newName = (): string => randomBytes(12).toString("hex");
