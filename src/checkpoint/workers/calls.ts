import type { Change } from "../trees/change.ts";
import type { VerifiedVault } from "../upkeep/verify-vault.ts";
import type { Exported, Member } from "../archive/export.ts";
import type { Hash } from "../format/hash.ts";
import type { Imported } from "../archive/import.ts";
import type { ImportLimits } from "../archive/import-limits.ts";
import type { Listed } from "../trees/list.ts";
import type {
  CompareRequest,
  RestoreRequest,
} from "../restore/plan-restore.ts";
import type { Pruned } from "../upkeep/prune.ts";
import type { RestorePlan } from "../restore/restore-plan.ts";
import type { Restored } from "../restore/restore.ts";
import type { Saved, SaveRequest } from "../capture/save.ts";
import type { NamedFile } from "../capture/save-files.ts";
import type { Usage } from "../upkeep/usage.ts";
import type { Verified } from "../upkeep/verify.ts";

/** What a workspace is known by: the name of its stat cache, and what the vault was when it was asked. */
export interface Known {
  cacheKey: string | null;
  generation: string;
}

/** What a thread can be asked. */
export interface Calls {
  save: { asked: SaveRequest & Known; answer: Saved };
  saveFiles: { asked: { files: readonly NamedFile[] }; answer: Hash };
  diff: {
    asked: { before: Hash | null; after: Hash | null };
    answer: Change[];
  };
  /** Where nobody knows whether two checkpoints differ, because something was mounted there. */
  gaps: {
    asked: { before: Hash | null; after: Hash | null };
    answer: string[];
  };
  compare: {
    asked: CompareRequest & Known;
    answer: Change[];
  };
  read: {
    asked: { tree: Hash; path: string; maxBytes: number };
    answer: Uint8Array;
  };
  list: { asked: { tree: Hash }; answer: Listed[] };
  plan: { asked: RestoreRequest & Known; answer: RestorePlan };
  restore: {
    asked: { sealed: Uint8Array; restoreId: string | null };
    answer: Restored;
  };
  flush: { asked: { directory: string }; answer: null };
  verify: { asked: { tree: Hash }; answer: Verified };
  verifyAll: { asked: { trees: readonly Hash[] }; answer: VerifiedVault };
  usage: { asked: { sets: readonly (readonly Hash[])[] }; answer: Usage };
  exportTo: {
    asked: {
      file: string;
      roots: readonly Hash[];
      members: readonly Member[];
    };
    answer: Exported;
  };
  importFrom: {
    asked: { file: string; limits: ImportLimits; keep: boolean };
    answer: Imported;
  };
  /** The two halves of a prune, for one and the same thread. */
  mark: {
    asked: { roots: readonly Hash[]; dryRun: boolean };
    /** The packs that may go. */
    answer: string[];
  };
  sweep: { asked: { roots: readonly Hash[]; dryRun: boolean }; answer: Pruned };
}

export type CallName = keyof Calls;
