import type { ObjectKind } from "../format/block.ts";
import type { Entry } from "../format/entry.ts";
import type { Hash } from "../format/hash.ts";
import {
  piecesOf,
  rootOf,
  treeOf,
  type ObjectSource,
} from "../packs/objects.ts";

/**
 * Adds every object that a checkpoint needs, with its kind. What is in it already is not walked again, so the sets of
 * checkpoints that have much in common cost little.
 */
export const reach = async (
  tree: Hash,
  source: ObjectSource,
  reached: Map<Hash, ObjectKind>,
): Promise<void> => {
  if (reached.has(tree)) return;
  const root = await rootOf(source, tree);
  await reachEntry(root);
  // Last, so that an interrupted walk is not taken for a complete one.
  reached.set(tree, "tree");

  async function reachEntry(entry: Entry): Promise<void> {
    switch (entry.kind) {
      case "directory":
        if (reached.has(entry.hash)) return;
        for (const child of await treeOf(source, entry.hash))
          await reachEntry(child);
        reached.set(entry.hash, "tree");
        return;
      case "file":
        if (entry.content.form === "empty" || reached.has(entry.content.hash))
          return;
        if (entry.content.form === "pieces")
          for (const piece of await piecesOf(source, entry.content.hash))
            if (piece.kind === "data") reached.set(piece.hash, "data");
        reached.set(
          entry.content.hash,
          entry.content.form === "whole" ? "data" : "pieces",
        );
        return;
      case "link":
      case "fifo":
      case "socket":
      case "device":
      case "unsaved":
        return;
    }
  }
};
