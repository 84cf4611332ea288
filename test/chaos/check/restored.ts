/** What checkpoints hold, by restoring them when everything else is dead; judged with what is not ours. */
import {
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  rm,
} from "node:fs/promises";
import { join, relative } from "node:path";
import { openVault } from "../../../src/checkpoint/open-vault.ts";
import type { Vault } from "../../../src/checkpoint/vault.ts";
import { listing } from "../../e2e/tree-listing.ts";
import { MOUNT_POINT } from "../file-systems/mount-point.ts";
import type { ChaosHouse } from "../house.ts";
import { EMPTY_DIRECTORY, linkTo } from "../user/speech.ts";

/** What there is by path: a file's content, a link, an empty directory. */
export type Leaves = ReadonlyMap<string, string>;

export class Restored implements AsyncDisposable {
  readonly #vault: Vault;
  readonly #target: string;
  readonly #known = new Map<string, Promise<Leaves>>();

  private constructor(vault: Vault, target: string) {
    this.#vault = vault;
    this.#target = target;
  }

  static async open({ home, directory }: ChaosHouse): Promise<Restored> {
    const folder = join(home, "blobs");
    const cache = join(directory, "judge", "cache");
    const target = join(directory, "judge", "target");
    await mkdir(target, { recursive: true });
    return new Restored(await openVault({ folder, cache }), target);
  }

  /** Rejects when the checkpoint cannot be restored. */
  leaves(tree: string): Promise<Leaves> {
    const known = this.#known.get(tree) ?? this.#restore(tree, leavesIn);
    this.#known.set(tree, known);
    return known;
  }

  listing(tree: string): Promise<string[]> {
    return this.#restore(tree, (into) => listing(into, MOUNT_POINT));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#vault.close();
  }

  async #restore<T>(
    tree: string,
    look: (directory: string) => Promise<T>,
  ): Promise<T> {
    const into = join(this.#target, tree);
    try {
      const request = { tree, into, cacheKey: null };
      await this.#vault.restore(await this.#vault.planRestore(request));
      return await look(into);
    } finally {
      await rm(into, { recursive: true, force: true });
    }
  }
}

const leavesIn = async (directory: string): Promise<Leaves> => {
  const leaves = new Map<string, string>();
  const visit = async (path: string): Promise<void> => {
    const stats = await lstat(path);
    const name = relative(directory, path);
    if (stats.isSymbolicLink()) leaves.set(name, linkTo(await readlink(path)));
    else if (!stats.isDirectory())
      leaves.set(name, await readFile(path, "utf8"));
    else {
      const names = await readdir(path);
      if (names.length === 0 && name !== "") leaves.set(name, EMPTY_DIRECTORY);
      for (const each of names) await visit(join(path, each));
    }
  };
  await visit(directory);
  return leaves;
};
