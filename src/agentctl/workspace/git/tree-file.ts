/** Files of a checkpoint, by their paths. */
import { VaultFailure } from "../../../checkpoint/format/failure.ts";
import type { Vault } from "../../../checkpoint/vault.ts";

/** Null where there is no readable file, whatever else is there. */
export const fileIn = async (
  vault: Vault,
  tree: string,
  path: string,
  maxBytes?: number,
): Promise<Buffer | null> => {
  const content = await fileOrTooLarge(vault, tree, path, maxBytes);
  return content === "too_large" ? null : content;
};

export const fileOrTooLarge = async (
  vault: Vault,
  tree: string,
  path: string,
  maxBytes?: number,
): Promise<Buffer | "too_large" | null> => {
  try {
    return Buffer.from(await vault.read(tree, path, maxBytes));
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error;
    if (error.code === "too_large") return "too_large";
    if (error.code === "not_found") return null;
    throw error;
  }
};

/** A path in a directory of the tree; the root has none. */
export const within = (directory: string, name: string): string =>
  directory === "" ? name : `${directory}/${name}`;
