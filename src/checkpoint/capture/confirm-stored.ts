import { forms, type Arena } from "../trees/arena.ts";
import { VaultFailure } from "../format/failure.ts";
import { piecesOf, type Objects } from "../packs/objects.ts";

/**
 * Objects were removed since the cache was written: whatever it believes to be stored and is not is forgotten, and
 * so read again.
 */
export const confirmStored = async (
  arena: Arena,
  objects: Objects,
): Promise<void> => {
  for (const row of arena.live()) {
    if (!arena.isKnown(row)) continue;
    const isFile = ((arena.mode[row] ?? 0) & 0o170000) === 0o100000;
    const form = isFile ? forms[arena.form[row] ?? 0] : "whole";
    const isStored =
      form === "empty" ||
      (objects.has(arena.hash(row)) &&
        (form !== "pieces" || (await hasPieces(objects, arena.hash(row)))));
    if (!isStored) arena.forget(row);
  }
};

const hasPieces = async (objects: Objects, hash: string): Promise<boolean> => {
  try {
    const pieces = await piecesOf(objects, hash);
    return pieces.every(
      (piece) => piece.kind === "hole" || objects.has(piece.hash),
    );
  } catch (error) {
    if (error instanceof VaultFailure) return false;
    throw error;
  }
};
