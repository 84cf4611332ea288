import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { remove, writeDurably } from "../../kit/files/durable-file.ts";
import { makeDirectory } from "../../kit/files/make-directory.ts";
import { onOwnFiles } from "../format/failure.ts";
import { isHash, type Hash } from "../format/hash.ts";

/**
 * Checkpoints that came in a file of somebody's: what they say of setuid, setgid and capabilities is not done here. There
 * is a list for each file that was imported, so that nothing that was written is ever changed.
 */
export class ImportedTrees {
  readonly #folder: string;
  readonly #lists: Map<string, Hash[]>;
  #trees: Set<Hash>;

  private constructor(folder: string, lists: Map<string, Hash[]>) {
    this.#folder = folder;
    this.#lists = lists;
    this.#trees = new Set([...lists.values()].flat());
  }

  static async open(folder: string): Promise<ImportedTrees> {
    await makeDirectory(folder);
    const lists = new Map<string, Hash[]>();
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      // Only we write here: what has another name was not finished.
      if (!LIST.test(name)) await remove(path);
      else
        lists.set(
          name,
          (await readFile(path, "utf8")).split("\n").filter(isHash),
        );
    }
    return new ImportedTrees(folder, lists);
  }

  has(tree: Hash): boolean {
    return this.#trees.has(tree);
  }

  /** Resolves when that is durable: before anybody is told that they are here. */
  async add(trees: readonly Hash[]): Promise<void> {
    const name = randomBytes(16).toString("hex");
    const list = trees.join("\n");
    await onOwnFiles(writeDurably(join(this.#folder, name), list));
    this.#lists.set(name, [...trees]);
    for (const tree of trees) this.#trees.add(tree);
  }

  /** Forgets files of which no checkpoint is kept any more. */
  async keepOnly(needed: ReadonlySet<Hash>): Promise<void> {
    for (const [name, trees] of this.#lists) {
      if (trees.some((tree) => needed.has(tree))) continue;
      this.#lists.delete(name);
      await onOwnFiles(remove(join(this.#folder, name)));
    }
    this.#trees = new Set([...this.#lists.values()].flat());
  }
}

const LIST = /^[0-9a-f]{32}$/;
