import { join, toText, type ByteString } from "../format/byte-string.ts";
import type { Entry } from "../format/entry.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";
import { piecesOf, rootOf, treeOf, type Objects } from "../packs/objects.ts";

/** What a checkpoint lost. */
export interface Lost {
  /** How many paths cannot be restored. A directory that cannot be read counts once: what was in it nobody knows. */
  count: number;
  /** The first of them. */
  paths: string[];
}

const MAX_PATHS = 10;

/** Says what checkpoints lost. What was found whole in one of them is not looked at again for the others. */
export class LostPaths {
  readonly #objects: Objects;
  readonly #isAborted: () => boolean;
  /** Directories, and lists of pieces. */
  readonly #whole = new Set<Hash>();

  constructor(objects: Objects, isAborted: () => boolean) {
    this.#objects = objects;
    this.#isAborted = isAborted;
  }

  /** Null when the checkpoint is whole. */
  async of(tree: Hash): Promise<Lost | null> {
    const lost: Lost = { count: 0, paths: [] };
    const root = await readable(rootOf(this.#objects, tree));
    if (root === null) note(lost, "");
    else await this.#look("", root, lost);
    return lost.count === 0 ? null : lost;
  }

  async #look(path: ByteString, entry: Entry, lost: Lost): Promise<void> {
    if (entry.kind === "directory") await this.#enter(path, entry.hash, lost);
    else if (entry.kind === "file" && !(await this.#isWhole(entry)))
      note(lost, path);
  }

  async #enter(path: ByteString, tree: Hash, lost: Lost): Promise<void> {
    if (this.#isAborted())
      throw new VaultFailure("aborted", "it was called off");
    if (this.#whole.has(tree)) return;
    const before = lost.count;
    const entries = await readable(treeOf(this.#objects, tree));
    if (entries === null) note(lost, path);
    else
      for (const entry of entries)
        await this.#look(join(path, entry.name), entry, lost);
    if (lost.count === before) this.#whole.add(tree);
  }

  async #isWhole({ content }: Entry & { kind: "file" }): Promise<boolean> {
    if (content.form === "empty" || this.#whole.has(content.hash)) return true;
    if (content.form === "whole") return this.#objects.has(content.hash);
    const pieces = await readable(piecesOf(this.#objects, content.hash));
    const isWhole =
      pieces?.every(
        (piece) => piece.kind === "hole" || this.#objects.has(piece.hash),
      ) ?? false;
    if (isWhole) this.#whole.add(content.hash);
    return isWhole;
  }
}

const note = (lost: Lost, path: ByteString): void => {
  lost.count += 1;
  if (lost.paths.length < MAX_PATHS)
    lost.paths.push(path === "" ? "." : toText(path));
};

const readable = async <T>(reading: Promise<T>): Promise<T | null> => {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof VaultFailure && isLoss(error)) return null;
    throw error;
  }
};

const isLoss = ({ code }: VaultFailure): boolean =>
  code === "damaged" || code === "missing";
