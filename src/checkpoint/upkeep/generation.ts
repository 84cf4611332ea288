import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readIfThere, writeDurably } from "../../kit/files/durable-file.ts";
import { onOwnFiles } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";

/**
 * Which objects are in the vault is known in three places: in the packs, in the threads, in the stat caches. The
 * generation is what they agree on. It changes before objects are removed, and when some are found damaged, so that
 * whoever believes something from an older one looks again.
 *
 *   save ──── begins under 1 ───────────────────────┐
 *   prune ──────── generation 2, removes ───┐       └─ ends under 2: is done again, now knowing what is left
 */
export class Generation {
  readonly #path: string;
  #now: string;
  /** Packs that a prune removed, or was about to: it is no damage when they are gone. */
  readonly #removed: Set<string>;
  /** Those of the last prune. They stand in the file, behind the generation, for when we die while they are removed. */
  #removedLast: readonly string[];
  /** Trees that were saved lately, and when by a clock that only counts: who saved them may not have told anybody yet. */
  readonly #recent = new Map<Hash, number>();
  /** Trees that were saved while somebody prepares to remove. */
  readonly #watchers = new Set<Set<Hash>>();
  readonly #reading = new Set<Promise<unknown>>();
  /** Changes of the generation, one after the other. Never rejects. */
  #changing: Promise<void> = Promise.resolve();

  private constructor(path: string, now: string, removed: readonly string[]) {
    this.#path = path;
    this.#now = now;
    this.#removed = new Set(removed);
    this.#removedLast = removed;
  }

  static async open(folder: string): Promise<Generation> {
    const path = join(folder, "generation");
    const [now = "", ...removed] = ((await readIfThere(path)) ?? "")
      .trim()
      .split("\n");
    if (now !== "") return new Generation(path, now, removed);
    const generation = new Generation(path, newName(), []);
    await generation.#write();
    return generation;
  }

  get now(): string {
    return this.#now;
  }

  wasRemoved(pack: string): boolean {
    return this.#removed.has(pack);
  }

  /** Saves, and saves again when something was removed meanwhile that it may have relied on. */
  async save<T>(
    treesOf: (saved: T) => readonly Hash[],
    work: (generation: string) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      await this.settled();
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
    await this.settled();
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
    const since = performance.now() - LATELY_MS;
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

  /**
   * Nobody begins to read or save while this removes some of these packs; who reads is waited for, who saves will look
   * again.
   */
  remove<T>(packs: readonly string[], work: () => Promise<T>): Promise<T> {
    return this.change(async () => {
      await Promise.all(this.#reading);
      this.#now = newName();
      for (const pack of packs) this.#removed.add(pack);
      this.#removedLast = packs;
      await this.#write();
      return work();
    });
  }

  /**
   * Some of what was believed to be stored is not. Saves that are under way look again, and new ones begin when the work,
   * which writes down what is lacking, is done. Reads go on.
   */
  distrust(work: () => Promise<void>): Promise<void> {
    this.#now = newName();
    return this.change(async () => {
      await this.#write();
      await work();
    });
  }

  /** Resolves when no change is under way. */
  async settled(): Promise<void> {
    for (let last: Promise<void> | null = null; last !== this.#changing;) {
      last = this.#changing;
      await last;
    }
  }

  /** One after the other; who wants to read or to save waits for it. */
  change<T>(work: () => Promise<T>): Promise<T> {
    const changed = this.#changing.then(work);
    this.#changing = changed.then(ignore, ignore);
    return changed;
  }

  #write(): Promise<void> {
    const lines = [this.#now, ...this.#removedLast];
    return onOwnFiles(writeDurably(this.#path, `${lines.join("\n")}\n`));
  }

  #note(tree: Hash): void {
    this.#recent.set(tree, performance.now());
    for (const watcher of this.#watchers) watcher.add(tree);
  }
}

/** Between saving and telling there are a few messages and a commit. */
const LATELY_MS = 10 * 60_000;

const newName = (): string => randomBytes(12).toString("hex");

const ignore = (): void => {};
