/** Files of a checkpoint, by their paths. */
import { type FailureCode, VaultFailure } from "../../checkpoint/failure.ts";
import type { Vault } from "../../checkpoint/vault.ts";

/** Where no such file can be had, whatever is there. */
const NO_FILE = new Set<FailureCode>(["not_found", "too_large"]);

export const fileIn = async (
  vault: Vault,
  tree: string,
  path: string,
  mostBytes?: number,
): Promise<Buffer | null> => {
  try {
    return Buffer.from(await vault.read(tree, path, mostBytes));
  } catch (error) {
    if (!(error instanceof VaultFailure) || !NO_FILE.has(error.code))
      throw error;
    return null;
  }
};

/** A path in a directory of the tree; the root has none. */
export const within = (directory: string, name: string): string =>
  directory === "" ? name : `${directory}/${name}`;
