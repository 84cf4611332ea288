import {
  type FailureCode,
  VaultFailure,
} from "../../checkpoint/format/failure.ts";
import type { LinkRefusal } from "../../contract/link/link-refusal.ts";
import { LinkError } from "../../contract/link/link-error.ts";

type Table = Readonly<Record<FailureCode, LinkRefusal>>;

/** What a failure of the vault means to whoever asked for a checkpoint. */
const ofCheckpoint: Table = {
  missing: "unknown_tree",
  damaged: "unknown_tree",
  not_found: "workspace_unreadable",
  not_permitted: "workspace_unreadable",
  changed: "workspace_changing",
  storage_full: "storage_full",
  storage_failed: "internal",
  out_of_memory: "internal",
  aborted: "internal",
  closed: "internal",
  refused: "internal",
  unknown_version: "internal",
  too_large: "workspace_unreadable",
};

/** And to whoever brings a file. */
export const ofArchive: Table = {
  ...ofCheckpoint,
  missing: "damaged_archive",
  damaged: "damaged_archive",
  refused: "unsafe_archive",
  too_large: "unsafe_archive",
  unknown_version: "newer_archive",
  not_found: "invalid_params",
  not_permitted: "invalid_params",
};

/** Does the work; a failure of the vault becomes a refusal with a closed code. */
export const refusing = async <T>(
  work: () => Promise<T>,
  table: Table = ofCheckpoint,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error;
    throw new LinkError(table[error.code], error.message);
  }
};
