import type { Entry } from "../format/entry.ts";
import { VaultFailure } from "../format/failure.ts";
import type { Hash } from "../format/hash.ts";
import {
  piecesOf,
  rootOf,
  treeOf,
  type ObjectSource,
} from "../packs/objects.ts";
import { isPrivileged } from "./without-privileges.ts";

/** Objects whose lengths are known without reading them; null when they are not there. */
export interface MeasuredSource extends ObjectSource {
  lengthOf(hash: Hash): number | null;
}

export interface TreeLimits {
  maxDepth: number;
  /** Paths of one checkpoint. A small archive can repeat a directory again and again. */
  maxPaths: number;
  maxBytes: number;
}

/** What a directory comes to, with everything beneath it. */
interface Extent {
  depth: number;
  paths: number;
  bytes: number;
}

export interface CheckedTrees {
  /** How many different files ask for privileges that they do not get. */
  privileged: number;
}

/**
 * Sees that checkpoints from elsewhere are complete and possible: names are names, sizes fit, nothing is larger when
 * it is laid out than it may be. Targets of links are only text, and may be anything.
 */
export const checkTrees = async (
  roots: readonly Hash[],
  source: MeasuredSource,
  limits: TreeLimits,
): Promise<CheckedTrees> => {
  const known = new Map<Hash, Extent>();
  let privileged = 0;
  for (const root of roots) {
    const { hash } = await readable(() => rootOf(source, root));
    await directory(hash, 1);
  }
  return { privileged };

  async function directory(hash: Hash, level: number): Promise<Extent> {
    const before = known.get(hash);
    if (before !== undefined) return within(before, level);
    const extent = { depth: 0, paths: 0, bytes: 0 };
    within(extent, level);
    for (const entry of await readable(() => treeOf(source, hash))) {
      const beneath = await measure(entry, level);
      extent.depth = Math.max(extent.depth, beneath.depth);
      extent.paths += 1 + beneath.paths;
      extent.bytes += beneath.bytes;
      within(extent, level);
    }
    extent.depth += 1;
    known.set(hash, extent);
    return extent;
  }

  function within(extent: Extent, level: number): Extent {
    if (level + extent.depth > limits.maxDepth)
      throw refused("its directories are too deep");
    if (extent.paths > limits.maxPaths || extent.bytes > limits.maxBytes)
      throw new VaultFailure("too_large", "the archive unfolds to too much");
    return extent;
  }

  async function measure(entry: Entry, level: number): Promise<Extent> {
    if (entry.kind === "directory") return directory(entry.hash, level + 1);
    if (entry.kind !== "file") return { depth: 0, paths: 0, bytes: 0 };
    if (isPrivileged(entry)) privileged += 1;
    const length = await contentLength(entry, source);
    if (length !== entry.size)
      throw refused("a file has another size than it says");
    return { depth: 0, paths: 0, bytes: length };
  }
};

const contentLength = async (
  { content }: Entry & { kind: "file" },
  source: MeasuredSource,
): Promise<number> => {
  if (content.form === "empty") return 0;
  if (content.form === "whole") return lengthOf(content.hash, source);
  let total = 0;
  for (const piece of await readable(() => piecesOf(source, content.hash))) {
    if (piece.kind === "data" && lengthOf(piece.hash, source) !== piece.length)
      throw refused("a piece has another size than it says");
    total += piece.length;
  }
  return total;
};

const lengthOf = (hash: Hash, source: MeasuredSource): number => {
  const length = source.lengthOf(hash);
  if (length === null) throw refused("content is missing");
  return length;
};

const readable = async <T>(read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof VaultFailure) || error.code === "refused")
      throw error;
    throw refused(error.message, error);
  }
};

export const refused = (what: string, cause?: unknown): VaultFailure =>
  new VaultFailure("refused", `the archive is refused: ${what}`, { cause });
