import type { Changes } from "../../contract/session/changes.ts";
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
  save: { query: SaveRequest & Known; answer: Saved };
  saveFiles: { query: { files: readonly NamedFile[] }; answer: Hash };
  diff: {
    query: { before: Hash | null; after: Hash | null };
    answer: Change[];
  };
  /** How much became of them. */
  count: { query: { before: Hash; after: Hash }; answer: Changes };
  /** Where nobody knows whether two checkpoints differ, because something was mounted there. */
  gaps: {
    query: { before: Hash | null; after: Hash | null };
    answer: string[];
  };
  compare: {
    query: CompareRequest & Known;
    answer: Change[];
  };
  read: {
    query: { tree: Hash; path: string; maxBytes: number };
    answer: Uint8Array;
  };
  list: { query: { tree: Hash }; answer: Listed[] };
  plan: { query: RestoreRequest & Known; answer: RestorePlan };
  restore: {
    query: { sealed: Uint8Array; restoreId: string | null };
    answer: Restored;
  };
  flush: { query: { directory: string }; answer: null };
  verify: { query: { tree: Hash }; answer: Verified };
  verifyAll: { query: { trees: readonly Hash[] }; answer: VerifiedVault };
  usage: { query: { sets: readonly (readonly Hash[])[] }; answer: Usage };
  exportTo: {
    query: {
      file: string;
      roots: readonly Hash[];
      members: readonly Member[];
    };
    answer: Exported;
  };
  importFrom: {
    query: { file: string; limits: ImportLimits; keep: boolean };
    answer: Imported;
  };
  /** The two halves of a prune, for one and the same thread. */
  mark: {
    query: { roots: readonly Hash[]; dryRun: boolean };
    /** The packs that may go. */
    answer: string[];
  };
  sweep: { query: { roots: readonly Hash[]; dryRun: boolean }; answer: Pruned };
}

export type CallName = keyof Calls;
